import type { Client } from './types.js';

/** `wait` with a signal that aborts no later than the client's `waitMs` says; undefined when that ran out first. */
export async function limitedWait<T>(
  { waitMs }: Client,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  if (waitMs === undefined) return wait(signal);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), waitMs);
  try {
    return await wait(AbortSignal.any([signal, limit.signal]));
  } catch (error) {
    if (!limit.signal.aborted || signal.aborted) throw error;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}
