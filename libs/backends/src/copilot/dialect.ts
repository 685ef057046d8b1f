import { messagesDialect } from '../anthropic/dialect.js';
import { VERSION_HEADERS } from '../anthropic/transport.js';
import { chatDialect } from '../openai/dialect.js';
import { responsesDialect } from '../openai/responses/dialect.js';
import type { Dialect } from '../wire/dialect.js';
import { perModelDialect } from '../wire/per-model-dialect.js';
import type { TokenKeeper } from '../wire/token-keeper.js';
import { modelList } from './model-list.js';
import type { Connection } from '../connection.js';
import { requestHeaders } from './request-headers.js';

type Speech = (options: Connection) => Dialect;

const messages: Speech = (options) => ({ ...messagesDialect(options), headers: () => VERSION_HEADERS });

/** In which dialect a model is asked; the first match counts. */
const SPEECHES: readonly (readonly [RegExp, Speech])[] = [
  [/^claude/i, messages],
  [/^gpt-[34]/i, chatDialect],
  [/^(gpt|grok|mai)\b/i, responsesDialect],
  [/^/, chatDialect],
];

/** Copilot's own paths have no version before them. What its dialects keep out of errors is the token of the time. */
export function copilotDialect(options: Connection, tokens: TokenKeeper): Dialect {
  const quirks = { preset: 'copilot', ...options.quirks } as const;
  const choose = (model: string): Dialect => speechOf(model)({ ...options, quirks, key: tokens.last?.text });
  const dialect = perModelDialect(choose, { models: async (ask) => modelList(await ask({ path: '/models' })) });
  return { ...dialect, headers: (request) => ({ ...dialect.headers?.(request), ...requestHeaders(request) }) };
}

function speechOf(model: string): Speech {
  return SPEECHES.find(([pattern]) => pattern.test(model))?.[1] ?? chatDialect;
}
