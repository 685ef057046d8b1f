type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** A JSON object of which nothing is known yet. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Undefined for text that is no JSON object. */
export function parseObject(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
