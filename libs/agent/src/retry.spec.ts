import { AuthError, RateLimitError, TransientError } from '#model';
import { describeFailure, describeWait, waitBeforeRetry } from './retry.js';

const limited = (more: { retryAfterMs?: number; kind?: string; unsent?: true } = {}) =>
  new RateLimitError('429', { backend: 'openai', ...more });
const transient = (more: { retryAfterMs?: number; kind?: string } = {}) => new TransientError('503', { backend: 'openai', ...more });
const middle = () => 0.5;

describe('the retry policy', () => {
  it('backs off from 5 s for rate limits and from 2 s for transient failures, three times', () => {
    const waits = (error: RateLimitError | TransientError) => [0, 1, 2, 3].map((attempt) => waitBeforeRetry(error, attempt, middle)?.ms);
    expect(waits(limited())).toEqual([5000, 10_000, 20_000, undefined]);
    expect(waits(transient())).toEqual([2000, 4000, 8000, undefined]);
    expect(waitBeforeRetry(limited(), 0, middle)?.role).toBe('limitretry');
    expect(waitBeforeRetry(transient(), 0, middle)?.role).toBe('retry');
  });

  it('spreads its own waits by a fifth', () => {
    expect(waitBeforeRetry(transient(), 0, () => 0)?.ms).toBe(1600);
    expect(waitBeforeRetry(transient(), 0, () => 0.999999)?.ms).toBe(2400);
  });

  it('honours Retry-After up to a minute and never shortens it', () => {
    expect(waitBeforeRetry(limited({ retryAfterMs: 1000 }), 0, () => 0)?.ms).toBe(1000);
    expect(waitBeforeRetry(limited({ retryAfterMs: 60_000 }), 2, () => 0)?.ms).toBe(60_000);
    expect(waitBeforeRetry(transient({ retryAfterMs: 3000 }), 0, () => 0.5)?.ms).toBe(3300);
    expect(waitBeforeRetry(limited({ retryAfterMs: 60_001 }), 0, () => 0)).toBeUndefined();
  });

  it('does not retry a used-up quota or anything that is refused for good', () => {
    expect(waitBeforeRetry(limited({ kind: 'quota', retryAfterMs: 1000 }), 0, middle)).toBeUndefined();
    expect(waitBeforeRetry(new AuthError('401', { backend: 'openai' }), 0, middle)).toBeUndefined();
  });

  it('waits for the turn of a request that was not sent more often, and does not number that', () => {
    const error = limited({ retryAfterMs: 1000, unsent: true });
    expect([3, 29, 30].map((attempt) => waitBeforeRetry(error, attempt, () => 0)?.ms)).toEqual([1000, 1000, undefined]);
    expect(describeWait({ role: 'limitretry', ms: 1000 }, error, 4)).toBe('rate limited by openai, retrying in 1s');
  });

  it('retries an empty answer once', () => {
    expect(waitBeforeRetry(transient({ kind: 'empty' }), 0, middle)?.ms).toBe(2000);
    expect(waitBeforeRetry(transient({ kind: 'empty' }), 1, middle)).toBeUndefined();
  });

  it('says what it waits for and when a longer wait would be over', () => {
    expect(describeWait({ role: 'limitretry', ms: 4800 }, limited(), 0)).toBe('rate limited by openai, retrying in 5s (1 of 3)');
    expect(describeWait({ role: 'retry', ms: 2000 }, transient(), 1)).toBe('503, retrying in 2s (2 of 3)');
    expect(describeFailure(limited({ retryAfterMs: 7_200_000 }), Date.UTC(2026, 0, 1))).toBe(
      '429 (try again after 2026-01-01T02:00:00.000Z)',
    );
    expect(describeFailure(transient(), 0)).toBe('503');
  });
});
