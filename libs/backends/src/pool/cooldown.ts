import { AuthError, RateLimitError, TransientError, type BackendError } from '#model';

const BACKOFF_MS = 5_000;
const MOST_BACKOFF_MS = 60_000;
const REFUSED_MS = 600_000;
const QUOTA_MS = 3_600_000;
/** However long a provider wants to be left alone, somebody tries again after that. */
const LONGEST_MS = 3_600_000;

/** How long an account is to be left alone. `isStrict`: the provider asked for it; else it is only the last choice until then. */
export interface Rest {
  readonly ms: number;
  readonly isStrict: boolean;
}

/** What a failure says of its account, where it was the `failures`-th in a row, from 1; undefined: nothing. */
export function restAfter(error: unknown, failures: number): Rest | undefined {
  if (error instanceof RateLimitError) return error.failure.kind === 'quota' ? rest(QUOTA_MS) : restOfLimit(error, failures);
  if (error instanceof AuthError) return rest(REFUSED_MS);
  if (!(error instanceof TransientError)) return undefined;
  const { kind, retryAfterMs } = error.failure;
  if (kind === 'overloaded' || retryAfterMs !== undefined) return restOfLimit(error, failures);
  return kind === 'network' ? rest(backoff(failures)) : undefined;
}

/** True for what comes and goes with the number of requests. */
export function isLimit(error: unknown): boolean {
  if (error instanceof RateLimitError) return error.failure.kind !== 'quota';
  return error instanceof TransientError && (error.failure.kind === 'overloaded' || error.failure.retryAfterMs !== undefined);
}

/** True when another account may do better. */
export function isAccountsFault(error: unknown): boolean {
  if (error instanceof TransientError) return error.failure.kind !== 'idle' && error.failure.kind !== 'progress';
  return error instanceof RateLimitError || error instanceof AuthError;
}

function restOfLimit({ failure: { retryAfterMs } }: BackendError, failures: number): Rest {
  if (retryAfterMs === undefined) return rest(backoff(failures));
  return { ms: Math.min(retryAfterMs, LONGEST_MS), isStrict: true };
}

function rest(ms: number): Rest {
  return { ms, isStrict: false };
}

function backoff(failures: number): number {
  return Math.min(BACKOFF_MS * 2 ** (failures - 1), MOST_BACKOFF_MS);
}
