import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listOf, numberField, textField } from './json-fields.js';

const SHOWN_CHARACTERS = 300;
const SHORTEST_SECRET = 4;

/** What a provider says about a failure, out of the many shapes it says it in. */
export interface ErrorReport {
  readonly text: string;
  readonly code: string;
  readonly status?: number;
  readonly windowTokens?: number;
}

/** Reads `{error: {message, type, code}}`, `{error: text}`, `[{error}]`, `{message}`, `{detail}`, plain text and HTML. */
export function readErrorReport(body: JsonValue): ErrorReport {
  const error = innermost(body);
  if (!isJsonObject(error)) return { text: typeof error === 'string' ? plain(error) : JSON.stringify(error), code: '' };
  const code = numberField(error, 'code') ?? Number(textField(error, 'code') ?? Number.NaN);
  const windowTokens = numberField(error, 'n_ctx');
  return {
    text: messageOf(error),
    code: [textField(error, 'type'), textField(error, 'code')].filter(Boolean).join(' '),
    ...(code >= 400 && code < 600 ? { status: code } : {}),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
}

/** One line of at most 300 characters in which the secret does not occur. */
export function presentable(text: string, secret: string | undefined): string {
  const safe = secret !== undefined && secret.length >= SHORTEST_SECRET ? text.replaceAll(secret, '[key]') : text;
  const line = safe.replaceAll(/\s+/g, ' ').trim();
  return line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS - 1)}…`;
}

function innermost(body: JsonValue): JsonValue {
  const value = listOf(body)[0] ?? body;
  const error = isJsonObject(value) ? value.error : undefined;
  return error === undefined || error === null ? value : innermost(error);
}

function messageOf(error: JsonObject): string {
  const message = error.message ?? error.detail ?? error;
  return typeof message === 'string' ? plain(message) : JSON.stringify(message);
}

function plain(text: string): string {
  return /<(!doctype|html|body|head)\b/i.test(text) ? text.replaceAll(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ').trim() : text;
}
