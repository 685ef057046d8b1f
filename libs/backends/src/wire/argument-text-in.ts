import type { JsonValue } from '#model';

/** Arguments as they come: text, sometimes an object, or nothing. */
export function argumentTextIn(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
