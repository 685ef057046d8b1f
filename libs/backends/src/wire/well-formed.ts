import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listOf } from './json-fields.js';

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The text with U+FFFD for every lone surrogate: providers refuse what is not Unicode. */
export function wellFormed(text: string): string {
  return text.replaceAll(LONE_SURROGATE, '\uFFFD');
}

export function isWellFormed(text: string): boolean {
  LONE_SURROGATE.lastIndex = 0;
  return !LONE_SURROGATE.test(text);
}

/** The same for every text in an object, its keys included. */
export function wellFormedObject(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [wellFormed(key), wellFormedValue(value)]));
}

function wellFormedValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return wellFormed(value);
  if (isJsonObject(value)) return wellFormedObject(value);
  return Array.isArray(value) ? listOf(value).map(wellFormedValue) : value;
}
