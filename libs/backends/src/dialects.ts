import type { Backend } from '#model';
import { AnthropicBackend } from './anthropic/anthropic.backend.js';
import type { BackendSettings } from './backend-definition.js';
import type { Connection } from './connection.js';
import { CopilotBackend } from './copilot/copilot.backend.js';
import { GeminiBackend } from './gemini/gemini.backend.js';
import { KiroBackend } from './kiro/kiro.backend.js';
import { OllamaBackend } from './ollama/ollama.backend.js';
import { OpenAIBackend } from './openai/openai.backend.js';
import { OPENROUTER_URL } from './openai/openrouter-definition.js';
import { scriptedBackend } from './scripted/definition.js';

/** Makes what asks a server in one dialect; does no I/O. */
export type BackendMaker = (connection: Connection, settings: BackendSettings) => Backend;

const makers = {
  openai: (connection) => new OpenAIBackend(connection),
  'openai-chat': (connection) => new OpenAIBackend({ ...connection, dialect: 'chat' }),
  'openai-responses': (connection) => new OpenAIBackend({ ...connection, dialect: 'responses' }),
  anthropic: (connection) => new AnthropicBackend(connection),
  gemini: (connection) => new GeminiBackend(connection),
  copilot: (connection) => new CopilotBackend(connection),
  ollama: (connection) => new OllamaBackend(connection),
  kiro: (connection) => new KiroBackend(connection),
  scripted: ({ defaultModel }, settings) => scriptedBackend(settings, defaultModel),
} satisfies Readonly<Record<string, BackendMaker>>;

export type DialectName = keyof typeof makers;

/** By the name that `dialect` in config.json has for it. */
export const dialects: Readonly<Record<DialectName, BackendMaker>> = makers;

export const dialectNames = Object.keys(makers) as readonly DialectName[]; // the keys are known

/** Providers that are not called as their dialect is. */
const providers: Readonly<Record<string, { readonly dialect: DialectName; readonly url?: string }>> = {
  openrouter: { dialect: 'openai-chat', url: OPENROUTER_URL },
};

/** What a backend of that name speaks when nothing else is said. */
export function defaultDialect(name: string): DialectName | undefined {
  return dialectNames.find((dialect) => dialect === name) ?? providers[name]?.dialect;
}

/** Where a backend of that name is when nothing else is said; undefined = where its dialect comes from. */
export function defaultUrl(name: string): string | undefined {
  return providers[name]?.url;
}

/** Who answers in a dialect when no URL is said, as the lists of models call it. */
export function providerOf(dialect: DialectName): string | undefined {
  return origins[dialect];
}

const origins: Readonly<Record<DialectName, string | undefined>> = {
  openai: 'openai',
  'openai-chat': 'openai',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
  copilot: 'copilot',
  ollama: 'ollama',
  kiro: 'kiro', // no list has it: it sells credits, not tokens
  scripted: undefined,
};
