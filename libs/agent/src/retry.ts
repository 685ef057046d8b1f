import { RateLimitError, type BackendError } from '#model';

const MAX_RETRIES = 3;
/** Where many want to ask again at the same time, each waits for its turn. */
const MAX_UNSENT = 30;
const MAX_WAIT_MS = 60_000;
const JITTER = 0.2;
const RATE_LIMIT_BASE_MS = 5_000;
const TRANSIENT_BASE_MS = 2_000;

/** A pause before the same request is sent again, and the role under which it is announced. */
export interface RetryWait {
  readonly role: 'limitretry' | 'retry';
  readonly ms: number;
}

/**
 * What to do about a failed request whose `attempt` (from 0) it was, those that were not sent counted by themselves: wait, or undefined to give up.
 * This is the only place that retries; backends never do. A provider's own Retry-After is honoured up to
 * 60 s, never shortened; above that, for a used-up quota, and after 3 retries (1 for an empty answer) there is none.
 */
export function waitBeforeRetry(error: BackendError, attempt: number, random: () => number): RetryWait | undefined {
  const limit = error.failure.unsent ? MAX_UNSENT : error.failure.kind === 'empty' ? 1 : MAX_RETRIES;
  if (!error.retryable || attempt >= limit) return undefined;
  const role = error instanceof RateLimitError ? 'limitretry' : 'retry';
  const { retryAfterMs } = error.failure;
  if (retryAfterMs !== undefined) {
    return retryAfterMs > MAX_WAIT_MS ? undefined : { role, ms: Math.round(retryAfterMs * (1 + JITTER * random())) };
  }
  const base = role === 'limitretry' ? RATE_LIMIT_BASE_MS : TRANSIENT_BASE_MS;
  const spread = 1 + JITTER * (2 * random() - 1);
  return { role, ms: Math.round(base * 2 ** attempt * spread) };
}

/** `rate limited by openai, retrying in 5s (1 of 3)`; without a number when it is not sent yet. */
export function describeWait(wait: RetryWait, error: BackendError, attempt: number): string {
  const why = wait.role === 'limitretry' ? `rate limited by ${error.failure.backend}` : error.message;
  const announced = `${why}, retrying in ${Math.ceil(wait.ms / 1000)}s`;
  return error.failure.unsent ? announced : `${announced} (${attempt + 1} of ${error.failure.kind === 'empty' ? 1 : MAX_RETRIES})`;
}

/** The failure for the error block; with a Retry-After that is too long to wait for, it says when to try again. */
export function describeFailure(error: BackendError, nowMs: number): string {
  const { retryAfterMs } = error.failure;
  if (!error.retryable || retryAfterMs === undefined || retryAfterMs <= MAX_WAIT_MS) return error.message;
  return `${error.message} (try again after ${new Date(nowMs + retryAfterMs).toISOString()})`;
}
