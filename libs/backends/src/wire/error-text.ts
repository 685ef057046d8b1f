import { isJsonObject, type JsonValue } from '#model';
import { googleDetails } from './google-details.js';
import { isTooDeep } from './json-depth.js';
import { listOf, numberField, textField } from './json-fields.js';
import { wellFormed } from './well-formed.js';

const SHOWN_CHARACTERS = 300;
/** The text is searched for patterns, and may be as long as whoever wrote it likes. */
const READ_CHARACTERS = 4_096;
const MOST_WRAPPERS = 8;
const SHORTEST_SECRET = 4;
/** Where a body says in words what the matter is; the last are Google's and Amazon's. */
const CODES = ['type', 'code', 'status', '__type', 'reason'];

/** What no message may hold; of two of which one is in the other the longer one comes first. */
export type Secrets = string | readonly string[] | undefined;

/** What a provider says about a failure, out of the many shapes it says it in. */
export interface ErrorReport {
  readonly text: string;
  readonly code: string;
  readonly status?: number;
  readonly windowTokens?: number;
  readonly retryAfterMs?: number;
  /** How long what is used up is used up for, where the body says so by itself. */
  readonly quota?: 'day' | 'short';
}

/**
 * Reads `{error: {message, type, code}}`, `{message, __type, reason}`, `{error: text}`, `[{error}]`, `{message}`, `{detail}`, plain text and HTML.
 * No text in it holds the secret or is long.
 */
export function readErrorReport(body: JsonValue, secret: Secrets): ErrorReport {
  const error = innermost(body);
  const text = (value: JsonValue): string => plain(withoutSecret(textIn(value), secret).slice(0, READ_CHARACTERS));
  if (!isJsonObject(error)) return { text: text(error), code: '' };
  const code = numberField(error, 'code') ?? Number(textField(error, 'code') ?? Number.NaN);
  const windowTokens = numberField(error, 'n_ctx');
  const { reason, ...limits } = googleDetails(error);
  return {
    text: text(error.message ?? error.detail ?? error),
    code: text([...CODES.map((key) => textField(error, key)), reason].filter(Boolean).join(' ')),
    ...limits,
    ...(code >= 400 && code < 600 ? { status: code } : {}),
    ...(windowTokens === undefined ? {} : { windowTokens }),
  };
}

/** One line of at most 300 characters in which the secret does not occur. */
export function presentable(text: string, secret: Secrets): string {
  const line = withoutSecret(text, secret).replaceAll(/\s+/g, ' ').trim();
  return line.length <= SHOWN_CHARACTERS ? line : `${line.slice(0, SHOWN_CHARACTERS - 1)}…`;
}

function withoutSecret(text: string, secret: Secrets): string {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  const shown = secrets.filter((one) => one.length >= SHORTEST_SECRET).flatMap(formsOf);
  return shown.reduce((left, one) => left.replaceAll(one, '[key]'), text);
}

/** As it is, and as it stands in JSON, URLs and base64. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const coded = [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(wellFormed(secret)), ...coded])];
}

function innermost(body: JsonValue): JsonValue {
  let value = listOf(body)[0] ?? body;
  for (let wrappers = 0; wrappers < MOST_WRAPPERS && isJsonObject(value); wrappers += 1) {
    const { error } = value;
    if (error === undefined || error === null) break;
    value = listOf(error)[0] ?? error;
  }
  return value;
}

function textIn(value: JsonValue): string {
  if (typeof value === 'string') return value;
  return isTooDeep(value) ? 'nested too deeply' : JSON.stringify(value);
}

function plain(text: string): string {
  return /<(!doctype|html|body|head)\b/i.test(text) ? text.replaceAll(/<(style|script)\b.*?<\/\1>|<[^>]*>/gis, ' ').trim() : text;
}
