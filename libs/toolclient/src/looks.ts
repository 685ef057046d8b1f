/** Most calls have ended by then, and have cost nothing. */
const FIRST_MS = 200;
const SHORTEST_MS = 100;
const LONGEST_MS = 1000;
/** What comes after a silence is seen late by at most this part of it. */
const SILENCE_PARTS = 10;

/** When to look again for what does not announce itself: soon after news, and rarer the longer there were none. */
export class Looks {
  private newsMs = performance.now();
  private wasFirst = false;

  /** Waits for the time of the next look; false, at once, when the signal aborts. */
  async next(signal: AbortSignal): Promise<boolean> {
    const waitMs = this.wasFirst ? pauseAfter(performance.now() - this.newsMs) : FIRST_MS;
    this.wasFirst = true;
    await pause(waitMs, signal);
    return !signal.aborted;
  }

  /** There was something to see. */
  sawNews(): void {
    this.newsMs = performance.now();
  }
}

/** The time from one look to the next, when the last news are so long ago. */
export function pauseAfter(silenceMs: number): number {
  return Math.min(Math.max(silenceMs / SILENCE_PARTS, SHORTEST_MS), LONGEST_MS);
}

/** An abort ends it without an error: those are made by the thousand, one for each short call. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    if (signal.aborted) wake();
    else signal.addEventListener('abort', wake, { once: true });
  });
}
