import type { JsonValue, ToolCall } from '#model';
import { wellFormed } from '../wire/well-formed.js';

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Arguments as they come: text, sometimes an object, or nothing. */
export function argumentTextIn(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Arguments as they go back. Servers parse them: broken JSON becomes `{}` (its result says what was wrong), lone surrogates go. */
export function argumentTextOf({ arguments: object, rawArguments, argumentsError }: ToolCall): string {
  if (argumentsError !== undefined) return '{}';
  return ESCAPED_SURROGATE.test(rawArguments)
    ? JSON.stringify(object, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
    : wellFormed(rawArguments);
}
