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
  const { bypass = '', timeout = '', sandbox = '', ...args } = all;
  const wanted = choiceOf(bypass);
  if (wanted === undefined) return '/bypass must be true or false';
  const seconds = secondsOf(timeout);
  if (Number.isNaN(seconds)) return `/timeout must be a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`;
  if (sandbox !== null && typeof sandbox !== 'string') return '/sandbox must be a name';
  return { fields: { bypass: wanted, timeout: seconds, sandbox: sandbox === null || sandbox === '' ? 'default' : sandbox }, args };
}

function choiceOf(value: JsonValue): boolean | undefined {
  if (value === true || value === 'true') return true;
  return value === false || value === 'false' || isMissing(value) ? false : undefined;
}

/** Undefined when it is not given, NaN when it cannot be meant. */
function secondsOf(value: JsonValue): number | undefined {
  if (isMissing(value)) return undefined;
  const seconds = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
  return Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS ? seconds : NaN;
}

function isMissing(value: JsonValue): boolean {
  return value === null || value === '';
}
