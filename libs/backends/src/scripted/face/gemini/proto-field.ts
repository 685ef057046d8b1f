import type { JsonObject, JsonValue } from '#model';

/** A field of Google's JSON, which may be written in either way: `functionCall` or `function_call`. */
export function protoField(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object?.[name] ?? object?.[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The name of a field as its documentation has it. */
export function protoName(key: string): string {
  return key.replace(/_([a-z])/g, (_found, letter: string) => letter.toUpperCase());
}
