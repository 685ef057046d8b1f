export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Parses JSON text. Throws SyntaxError on malformed text; never returns anything but a JSON value. */
export function parseJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

/** The JSON value of a text; undefined for malformed text. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
