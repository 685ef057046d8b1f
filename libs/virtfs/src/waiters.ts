import { InterruptedFileError } from './errors.js';
import type { AbortListener, AbortSource } from './types.js';

const ONCE = { once: true } as const;

/** Those who wait for the next event. One `wake` reaches all who wait at that moment; an abort takes its waiter out. */
export class Waiters<T> {
  private readonly waiting = new Set<Waiting<T>>();

  /** Rejects with InterruptedFileError when `source` aborts first. */
  wait(source: AbortSource): Promise<T> {
    return new Promise((resolve, reject) => {
      if (source.aborted) reject(new InterruptedFileError());
      else this.waiting.add(new Waiting({ resolve, reject }, source, this.waiting));
    });
  }

  wake(value: T): void {
    if (this.waiting.size === 0) return;
    const woken = [...this.waiting];
    this.waiting.clear();
    for (const one of woken) one.wake(value);
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
    private readonly others: Set<Waiting<T>>,
  ) {
    source.addEventListener('abort', this, ONCE);
  }

  wake(value: T): void {
    this.source.removeEventListener('abort', this);
    this.settle.resolve(value);
  }

  handleEvent(): void {
    this.others.delete(this);
    this.settle.reject(new InterruptedFileError());
  }
}
