import { Clock } from '#model';

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/**
 * Time for tests. By default a sleep passes at once: the time jumps to its end and `sleeps` has its length.
 * A stopped clock only moves by `advance`, which wakes whoever is due.
 */
export class FakeClock extends Clock {
  /** The lengths of all sleeps that were asked for, in milliseconds. */
  readonly sleeps: number[] = [];
  private readonly sleepers = new Set<Sleeper>();

  constructor(
    private time = Date.UTC(2026, 0, 2, 12),
    private readonly isStopped = false,
  ) {
    super();
  }

  static stopped(): FakeClock {
    return new FakeClock(undefined, true);
  }

  /** How many sleep right now. */
  get sleeping(): number {
    return this.sleepers.size;
  }

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
    const due = [...this.sleepers].filter((sleeper) => sleeper.wakeAt <= this.time);
    for (const sleeper of due) sleeper.wake();
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.sleeps.push(ms);
    if (this.isStopped) await this.untilDue(this.time + ms, signal);
    else this.time += ms;
  }

  private untilDue(wakeAt: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.sleepers.delete(sleeper);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal.reason);
      };
      const wake = () => {
        leave();
        resolve();
      };
      const sleeper: Sleeper = { wakeAt, wake };
      this.sleepers.add(sleeper);
      signal.addEventListener('abort', abort, { once: true });
    });
  }
}
