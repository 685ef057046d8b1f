import type { Backend } from '#model';
import { AnthropicBackend } from './anthropic/anthropic.backend.js';
import type { BackendSettings } from './backend-definition.js';
import type { Connection } from './connection.js';
import { CopilotBackend } from './copilot/copilot.backend.js';
import { GeminiBackend } from './gemini/gemini.backend.js';
import { OllamaBackend } from './ollama/ollama.backend.js';
import { OpenAIBackend } from './openai/openai.backend.js';
import { scriptedBackend } from './scripted/definition.js';

/** Makes what asks a server in one dialect; does no I/O. */
export type BackendMaker = (connection: Connection, settings: BackendSettings) => Backend;

const makers = {
  'openai-chat': (connection) => new OpenAIBackend(connection),
  anthropic: (connection) => new AnthropicBackend(connection),
  gemini: (connection) => new GeminiBackend(connection),
  copilot: (connection) => new CopilotBackend(connection),
  ollama: (connection) => new OllamaBackend(connection),
  scripted: ({ defaultModel }, settings) => scriptedBackend(settings, defaultModel),
} satisfies Readonly<Record<string, BackendMaker>>;

export type DialectName = keyof typeof makers;

/** By the name that `dialect` in config.json has for it. */
export const dialects: Readonly<Record<DialectName, BackendMaker>> = makers;
