import { InterruptedFileError } from './errors.js';
import type { AbortListener, AbortSource } from './types.js';

const ONCE = { once: true } as const;

/** Those who wait for the next event. One `wake` reaches all who wait at that moment; an abort takes its waiter out. */
export class Waiters<T> {
  private waiting: Waiting<T>[] = [];

  /** Rejects with InterruptedFileError when `source` aborts first. */
  wait(source: AbortSource): Promise<T> {
    return new Promise((resolve, reject) => {
      if (source.aborted) reject(new InterruptedFileError());
      else this.waiting.push(new Waiting({ resolve, reject }, source, this));
    });
  }

  wake(value: T): void {
    if (this.waiting.length === 0) return;
    const woken = this.waiting;
    this.waiting = [];
    for (const one of woken) one.wake(value);
  }

  /** To be called by a waiter whose source has aborted. */
  leave(one: Waiting<T>): void {
    this.waiting.splice(this.waiting.indexOf(one), 1);
  }
}

interface Settle<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Listens by itself: a reader that follows a log waits for every piece, and closures would be most of that. */
class Waiting<T> implements AbortListener {
  constructor(
    private readonly settle: Settle<T>,
    private readonly source: AbortSource,
    private readonly waiters: Waiters<T>,
  ) {
    source.addEventListener('abort', this, ONCE);
  }

  wake(value: T): void {
    this.source.removeEventListener('abort', this);
    this.settle.resolve(value);
  }

  handleEvent(): void {
    this.waiters.leave(this);
    this.settle.reject(new InterruptedFileError());
  }
}
