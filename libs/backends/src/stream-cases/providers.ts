import type { Backend } from '#model';
import { AnthropicBackend } from '../anthropic/anthropic.backend.js';
import { messagesDialect } from '../anthropic/dialect.js';
import type { Connection } from '../connection.js';
import { geminiDialect } from '../gemini/dialect.js';
import { GeminiBackend } from '../gemini/gemini.backend.js';
import { chatDialect } from '../openai/dialect.js';
import { OpenAIBackend } from '../openai/openai.backend.js';
import type { Dialect } from '../wire/dialect.js';
import type { Patience } from '../wire/exchange.js';

/** How cases of one provider are played. */
interface Provider {
  /** `base` is the address of a case. */
  backend(base: string, patience: Patience): Backend;
  readonly dialect: Dialect;
}

const KEY = 'sk-case-key';

function openai(baseUrl: string | undefined, patience?: Patience): ConstructorParameters<typeof OpenAIBackend>[0] {
  return { name: 'openai', baseUrl, key: KEY, defaultModel: undefined, ...(patience && { patience }) };
}

function anthropic(baseUrl: string | undefined, patience?: Patience): ConstructorParameters<typeof AnthropicBackend>[0] {
  return { name: 'anthropic', baseUrl, key: KEY, token: undefined, defaultModel: undefined, ...(patience && { patience }) };
}

function plain(name: string, baseUrl: string | undefined): Connection {
  return { name, baseUrl, key: KEY, defaultModel: undefined };
}

const chat: Provider = {
  backend: (base, patience) => new OpenAIBackend(openai(`${base}/v1`, patience)),
  dialect: chatDialect(openai(undefined)),
};

/** By the provider that a case names. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: chat,
  openrouter: chat,
  anthropic: {
    backend: (base, patience) => new AnthropicBackend(anthropic(base, patience)),
    dialect: messagesDialect(anthropic(undefined)),
  },
  gemini: {
    backend: (base, patience) => new GeminiBackend({ ...plain('gemini', base), patience }),
    dialect: geminiDialect(plain('gemini', undefined)),
  },
};

/** Cases that are played by nobody yet, by provider, each with its reason. */
export const OTHER_DIALECTS: Readonly<Record<string, string>> = {
  'openai-responses': 'needs /v1/responses',
  copilot: 'needs the token exchange',
  ollama: 'needs /api/chat',
  kiro: 'needs the AWS event stream',
};
