import { remember } from './remember.js';
import type { Client } from './types.js';
import { Waiters } from './waiters.js';

interface Change<T> {
  readonly value: T;
  readonly version: number;
}

/**
 * A value whose changes no client misses. For each client (by tag) the cell counts up to which change it
 * has seen: `next` gives the newest value at once when there is a later one and waits otherwise. The
 * counters of 1,024 clients are kept, the one unused for longest goes first. Any number may wait at a time.
 */
export class ValueCell<T> {
  private readonly seen = new Map<string, number>();
  private readonly marks = new Map<string, number>();
  private readonly changes = new Waiters<Change<T>>();
  private present: T;
  private count = 0;
  private last = false;

  constructor(initial: T) {
    this.present = initial;
  }

  get value(): T {
    return this.present;
  }

  /** Counts changes from 0. Setting an equal value is no change. */
  get version(): number {
    return this.count;
  }

  /** True after `finish`. */
  get finished(): boolean {
    return this.last;
  }

  current(): T {
    return this.present;
  }

  set(value: T): void {
    if (this.last || Object.is(value, this.present)) return;
    this.present = value;
    this.count++;
    this.changes.wake({ value, version: this.count });
  }

  /** Sets the last value there will be: from now on `next` gives it at once to everybody, and `set` does nothing. */
  finish(value: T): void {
    this.set(value);
    this.last = true;
  }

  /**
   * Gives the newest value once it is newer than what this client has seen. A first look waits for the
   * next change, or looks from the mark of its session leader. Rejects with InterruptedFileError on abort.
   */
  async next(client: Client, signal: AbortSignal): Promise<T> {
    const seen = this.seenBy(client);
    remember(this.seen, client.tag, seen);
    if (this.last || seen < this.count) return this.deliver(client, { value: this.present, version: this.count });
    return this.deliver(client, await this.changes.wait(signal));
  }

  /** The present version counts as seen for every client of this client's session leader. */
  markSeen(client: Client): void {
    remember(this.marks, leaderOf(client), this.count);
  }

  /** Resolves with the first value that `test` accepts, the present one included. Rejects with InterruptedFileError on abort. */
  async until(test: (value: T) => boolean, signal: AbortSignal): Promise<T> {
    while (!test(this.present)) {
      const { value } = await this.changes.wait(signal);
      if (test(value)) return value;
    }
    return this.present;
  }

  private seenBy(client: Client): number {
    const seen = this.seen.get(client.tag);
    const mark = this.marks.get(leaderOf(client));
    if (seen === undefined && mark === undefined) return this.count;
    return Math.max(seen ?? 0, mark ?? 0);
  }

  private deliver(client: Client, change: Change<T>): T {
    remember(this.seen, client.tag, change.version);
    return change.value;
  }
}

function leaderOf(client: Client): string {
  return client.leader ?? client.tag;
}
