import type { JsonValue } from '#model';

/** Strict parsers stop here, and serializers overflow the stack some thousand levels further. */
export const MOST_LEVELS = 128;

/** Text that is no longer holds no value of more levels: each takes two characters. */
const SHORT = 2 * MOST_LEVELS;

/** False for JSON text that is surely not too deep. */
export function mayBeTooDeep(text: string): boolean {
  return text.length > SHORT;
}

/** True for a value that cannot be sent on: it has more than 128 levels of objects and lists. */
export function isTooDeep(value: JsonValue, levels = MOST_LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((one: JsonValue) => isTooDeep(one, levels - 1));
}
