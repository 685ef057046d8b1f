import type { Clock } from '#model';

/** How long somebody who has just read or answered counts as being there. */
const GRACE_MS = 5_000;

/** Whether somebody looks for requests: reads right now, or has read or answered within the last 5 s. */
export class Observers {
  private reading = 0;
  private isRecent = false;
  private wait = new AbortController();

  /** `whenGone` is called 5 s after the last sign of life; somebody may be reading all the same. */
  constructor(
    private readonly clock: Clock,
    private readonly whenGone: () => void,
  ) {}

  get areHere(): boolean {
    return this.reading > 0 || this.isRecent;
  }

  async whileReading<T>(read: () => Promise<T>): Promise<T> {
    this.reading += 1;
    try {
      return await read();
    } finally {
      this.reading -= 1;
      this.noteLife();
    }
  }

  noteLife(): void {
    this.isRecent = true;
    this.wait.abort();
    this.wait = new AbortController();
    void this.watch(this.wait.signal);
  }

  /** Counts nobody any more. */
  close(): void {
    this.isRecent = false;
    this.wait.abort();
  }

  private async watch(signal: AbortSignal): Promise<void> {
    try {
      await this.clock.sleep(GRACE_MS, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      return;
    }
    this.isRecent = false;
    this.whenGone();
  }
}
