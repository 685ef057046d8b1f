/** Port to time, so that waits can be tested without waiting. */
export abstract class Clock {
  /** Milliseconds since the epoch. */
  abstract now(): number;

  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  abstract sleep(ms: number, signal: AbortSignal): Promise<void>;
}
