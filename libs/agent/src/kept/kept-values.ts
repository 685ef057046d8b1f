import type { JsonValue } from '#model';

/** Empty for what is no list. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isList(value) ? value : [];
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** Empty for what is no text. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** 0 for what is no number. */
export function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
