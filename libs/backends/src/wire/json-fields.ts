import { isJsonObject, type JsonObject, type JsonValue } from '#model';

/** Readers of untrusted JSON: the field of the wanted type, else undefined. */
export function textField(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberField(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' ? value : undefined;
}

export function objectField(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

/** The list under `key`; empty when there is none. */
export function listField(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  return listOf(object?.[key]);
}

export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
