export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Parses JSON text. Throws SyntaxError on malformed text; never returns anything but a JSON value. */
export function parseJson(text: string): JsonValue {
  const value: JsonValue = JSON.parse(text);
  return value;
}

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
