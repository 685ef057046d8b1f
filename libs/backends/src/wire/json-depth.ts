import { isJsonObject, type JsonValue } from '#model';
import { listOf } from './json-fields.js';

/** Strict parsers stop here, and serializers overflow the stack some thousand levels further. */
const MOST_LEVELS = 128;

/** Text that is no longer holds no value of more levels: each takes two characters. */
const SHORT = 2 * MOST_LEVELS;

/** False for JSON text that is surely not too deep. */
export function mayBeTooDeep(text: string): boolean {
  return text.length > SHORT;
}

/** True for a value that cannot be sent on: it has more than 128 levels of objects and lists. */
export function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (isJsonObject(one) ? Object.values(one) : listOf(one)));
    if (level.length === 0) return false;
  }
  return true;
}
