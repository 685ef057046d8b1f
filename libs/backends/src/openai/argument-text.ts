import type { ToolCall } from '#model';
import { wellFormed } from '../wire/well-formed.js';

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/** Arguments as they go back. Servers parse them: broken JSON becomes `{}` (its result says what was wrong), lone surrogates go. */
export function argumentTextOf({ arguments: object, rawArguments, argumentsError }: ToolCall): string {
  if (argumentsError !== undefined) return '{}';
  return ESCAPED_SURROGATE.test(rawArguments)
    ? JSON.stringify(object, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
    : wellFormed(rawArguments);
}
