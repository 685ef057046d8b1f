import { jsonIn, TransientError, type JsonValue } from '#model';
import { END_MARK } from './answer-decoder.js';
import { isTooDeep, mayBeTooDeep } from './json-depth.js';

/** The value of an event, `END_MARK` for the one that is no JSON. Throws TransientError `malformed`. */
export function parseEvent(text: string, backend: string): JsonValue {
  return isEndMark(text) ? END_MARK : parseDocument(text, backend);
}

/** Throws TransientError `malformed` for what is not JSON or has too many levels. */
export function parseDocument(text: string, backend: string): JsonValue {
  const value = jsonIn(text);
  if (value === undefined) throw new TransientError(`${backend}: answer is not JSON`, { backend, kind: 'malformed' });
  if (mayBeTooDeep(text) && isTooDeep(value))
    throw new TransientError(`${backend}: answer is nested too deeply`, { backend, kind: 'malformed' });
  return value;
}

/** The last event may be cut off; what is cut is not an event. */
export function isWholeEvent(text: string): boolean {
  return isEndMark(text) || jsonIn(text) !== undefined;
}

function isEndMark(text: string): boolean {
  return text.trim() === END_MARK;
}
