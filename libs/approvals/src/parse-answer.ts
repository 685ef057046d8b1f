import { messageOf, visible } from '#config';
import { IllegalInputError, isJsonObject, parseJson, type JsonObject, type JsonValue } from '#model';

const KEYS: ReadonlySet<string> = new Set(['id', 'approved', 'error', 'scope', 'hash', 'answer']);
const MAX_TEXT = 1024;

/** What an approval is good for: one call, or that very call as often as the session makes it. */
export type Scope = 'once' | 'session';

/** What an observer wrote. `refusal` undefined = approved. */
export interface Answer {
  readonly id: string;
  readonly scope: Scope;
  readonly refusal: string | undefined;
  /** The request that was meant, by its hash. */
  readonly hash: string | undefined;
  /** The words that answer a question; they are its approval. */
  readonly answer: string | undefined;
}

/**
 * Parses `{"id":"b-12","approved":true}`, `{"id":"b-12","error":"why"}` and `{"id":"b-12","answer":"text"}`; `approved: false` is the error `rejected`.
 * Throws IllegalInputError for everything that could be meant in two ways.
 */
export function parseAnswer(text: string): Answer {
  const answer = objectOf(text);
  const unknown = Object.keys(answer).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw illegal(`unknown key ${short(unknown)}`);
  const id = textOf(answer, 'id');
  if (id === undefined) throw illegal('id is missing');
  const refusal = refusalIn(answer);
  const scope = scopeOf(answer);
  if (refusal !== undefined && scope === 'session') throw illegal('scope session is for approvals');
  return { id, scope, refusal, hash: textOf(answer, 'hash'), answer: textOf(answer, 'answer') };
}

/** A text that came from outside, as far as it is shown in an error or a log. */
export function short(text: string): string {
  return visible(Array.from(text).slice(0, 64).join(''));
}

function objectOf(text: string): JsonObject {
  const value = jsonOf(text);
  if (!isJsonObject(value)) throw illegal('not a JSON object');
  return value;
}

function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw illegal(`not JSON: ${short(messageOf(error))}`);
  }
}

function scopeOf(answer: JsonObject): Scope {
  const scope = textOf(answer, 'scope') ?? 'once';
  if (scope === 'once' || scope === 'session') return scope;
  throw illegal(`scope must be once or session, not ${short(scope)}`);
}

function refusalIn(answer: JsonObject): string | undefined {
  const approved = approvalIn(answer);
  const error = textOf(answer, 'error');
  if (approved && error !== undefined) throw illegal(approved === 'answer' ? 'both an answer and a refusal' : 'both approved and error');
  if (approved === undefined && error === undefined) throw illegal('neither approved nor error');
  if (approved) return undefined;
  return (
    Array.from(error ?? '')
      .slice(0, MAX_TEXT)
      .join('') || 'rejected'
  );
}

/** Whoever answers a question approves of it. */
function approvalIn(answer: JsonObject): boolean | 'answer' | undefined {
  const { approved } = answer;
  if (approved !== undefined && typeof approved !== 'boolean') throw illegal('approved must be true or false');
  if (textOf(answer, 'answer') === undefined) return approved;
  if (approved === false) throw illegal('both an answer and a refusal');
  return 'answer';
}

function textOf(answer: JsonObject, key: string): string | undefined {
  const value = answer[key];
  if (value !== undefined && typeof value !== 'string') throw illegal(`${key} must be a string`);
  return value;
}

function illegal(why: string): IllegalInputError {
  return new IllegalInputError('argument', why);
}
