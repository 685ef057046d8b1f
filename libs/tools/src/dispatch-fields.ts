import type { JsonObject, JsonValue } from '#model';
import { MAX_TIMEOUT_SECONDS } from './metadata.js';

/** What the dispatcher itself is told among the arguments. `timeout` in seconds. */
export interface DispatchFields {
  readonly bypass: boolean;
  readonly timeout: number | undefined;
  readonly sandbox: string;
}

export interface Dispatch {
  readonly fields: DispatchFields;
  /** The arguments that are the tool's own. */
  readonly args: JsonObject;
}

/**
 * Takes `bypass`, `timeout` and `sandbox` out of a call's arguments, as text or as JSON values. Empty text
 * counts as not given. Returns `<path> <why>` for a value that cannot be meant.
 */
export function takeDispatch(all: JsonObject): Dispatch | string {
  const { bypass, timeout, sandbox, ...args } = all;
  if (!isMissing(bypass) && !['true', 'false'].includes(String(bypass))) return '/bypass must be true or false';
  const seconds = isMissing(timeout) ? undefined : Number(timeout);
  if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS)) {
    return `/timeout must be a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`;
  }
  if (!isMissing(sandbox) && typeof sandbox !== 'string') return '/sandbox must be a name';
  return {
    fields: { bypass: String(bypass) === 'true', timeout: seconds, sandbox: isMissing(sandbox) ? 'default' : String(sandbox) },
    args,
  };
}

function isMissing(value: JsonValue | undefined): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}
