/** Shortest time from one event of a key to the next, in milliseconds. */
const PAUSE_MS = 40;
/** Events a second of all keys together: the more keys there are, the longer the pause of each. */
const ALL_PER_SECOND = 200;
const LONGEST_PAUSE_MS = 1000;

/**
 * Lets the first of a burst of events through at once, and of those that follow the newest, 25 times a second. Of many keys
 * each has a longer pause, a second at most, so that they do not fill what others are kept in. Does not keep the program alive.
 */
export class LatestOnly {
  /** Keys that have been let through in this pause or the one before, with what waits for the end of it. */
  private readonly resting = new Map<string, (() => void) | undefined>();
  private timer: NodeJS.Timeout | undefined;

  /** Calls `send` now or later, or never if a newer one of the key takes its place. */
  offer(key: string, send: () => void): void {
    if (this.resting.has(key)) {
      this.resting.set(key, send);
      return;
    }
    this.resting.set(key, undefined);
    this.timer ??= this.rest();
    send();
  }

  /** Sends what waits under the key. */
  flush(key: string): void {
    const send = this.resting.get(key);
    if (!send) return;
    this.resting.set(key, undefined);
    send();
  }

  private rest(): NodeJS.Timeout {
    const share = (1000 / ALL_PER_SECOND) * this.resting.size;
    return setTimeout(() => this.sendAll(), Math.min(Math.max(PAUSE_MS, share), LONGEST_PAUSE_MS)).unref();
  }

  private sendAll(): void {
    for (const [key, send] of Array.from(this.resting)) {
      if (!send) this.resting.delete(key);
      else this.flush(key);
    }
    this.timer = this.resting.size > 0 ? this.rest() : undefined;
  }
}
