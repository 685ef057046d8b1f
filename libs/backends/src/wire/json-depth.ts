import { isJsonObject, type JsonValue } from '#model';
import { listOf } from './json-fields.js';

/** Strict parsers stop here, and serializers overflow the stack some thousand levels further. */
const MOST_LEVELS = 128;

/** True for a value that cannot be sent on: it has more than 128 levels of objects and lists. */
export function isTooDeep(value: JsonValue): boolean {
  let level: readonly JsonValue[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (isJsonObject(one) ? Object.values(one) : listOf(one)));
    if (level.length === 0) return false;
  }
  return true;
}
