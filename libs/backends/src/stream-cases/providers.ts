import { join } from 'node:path';
import type { Backend } from '#model';
import { messagesDialect } from '../anthropic/dialect.js';
import type { Connection } from '../connection.js';
import { dialects, type DialectName } from '../dialects.js';
import { copilotDialect } from '../copilot/dialect.js';
import { copilotTokens } from '../copilot/transport.js';
import { geminiDialect } from '../gemini/dialect.js';
import { kiroDialect } from '../kiro/dialect.js';
import { ollamaDialect } from '../ollama/dialect.js';
import { chatDialect } from '../openai/dialect.js';
import { responsesDialect } from '../openai/responses/dialect.js';
import type { Dialect } from '../wire/dialect.js';
import type { Patience } from '../wire/exchange.js';

/** How cases of one provider are played. */
interface Provider {
  /** As configurations and `o gen --backend` name it. */
  readonly name: DialectName;
  /** Behind the address of a case, for what a client is given as its base URL. */
  readonly below: string;
  readonly dialect: Dialect;
}

const KEY = 'sk-case-key';
const settings = { env: {}, paths: { config: '/nowhere', packaged: join(process.cwd(), 'config') } };

const connection = (name: string): Connection => ({ name, baseUrl: undefined, key: KEY, defaultModel: undefined });

const chat: Provider = { name: 'openai-chat', below: '/v1', dialect: chatDialect(connection('openai')) };

/** By the provider that a case names. */
export const PROVIDERS: Readonly<Record<string, Provider>> = {
  openai: chat,
  openrouter: chat,
  'openai-responses': { name: 'openai-responses', below: '/v1', dialect: responsesDialect(connection('openai')) },
  anthropic: { name: 'anthropic', below: '', dialect: messagesDialect(connection('anthropic')) },
  copilot: { name: 'copilot', below: '', dialect: copilotDialect(connection('copilot'), copilotTokens(connection('copilot'))) },
  gemini: { name: 'gemini', below: '', dialect: geminiDialect(connection('gemini')) },
  ollama: { name: 'ollama', below: '', dialect: ollamaDialect(connection('ollama')) },
  kiro: { name: 'kiro', below: '', dialect: kiroDialect(connection('kiro'), () => KEY) },
};

/** Whose wire is another's: the cases need hold none of it. */
const MAY_BE_MISSING: readonly string[] = ['copilot'];

/** The providers of which none of these cases is, though they should. */
export function withoutCases(cases: readonly { readonly provider: string }[]): readonly string[] {
  const played = new Set(cases.map(({ provider }) => provider));
  return Object.keys(PROVIDERS).filter((provider) => !played.has(provider) && !MAY_BE_MISSING.includes(provider));
}

/** What asks the case at `address` as a configured backend would. */
export function backendOf(provider: string, address: string, patience: Patience): Backend {
  const row = PROVIDERS[provider];
  if (!row) throw new Error(`nobody plays ${provider}`);
  return dialects[row.name]({ ...connection(provider), baseUrl: address + row.below, patience }, settings);
}
