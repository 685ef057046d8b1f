import { isPromise, type Awaitable } from './awaitable.js';
import type { Waiter } from './file-server.js';

/**
 * The order of what happens to one fid. What changes it (walk, open, write, clunk) runs one after the
 * other; a read waits for the changes before it, and nothing waits for a read.
 */
export class Sequence {
  #tail: Promise<unknown> | undefined;

  /** No change is under way. */
  get isFree(): boolean {
    return this.#tail === undefined;
  }

  /** Runs a change, at once when nothing is before it. Without a waiter, the wait cannot be aborted. */
  change<T>(operation: () => Awaitable<T>, waiter?: Waiter): Awaitable<T> {
    const result = this.after(operation, waiter);
    if (isPromise(result)) this.#follow(result);
    return result;
  }

  /** Runs `operation` when the changes before it have ended. An abort before that rejects and skips it. */
  after<T>(operation: () => Awaitable<T>, waiter?: Waiter): Awaitable<T> {
    return this.#tail === undefined ? operation() : late(this.#tail, operation, waiter);
  }

  #follow(result: Promise<unknown>): void {
    const tail: Promise<unknown> = Promise.allSettled([this.#tail, result]).then(() => {
      if (this.#tail === tail) this.#tail = undefined;
    });
    this.#tail = tail;
  }
}

async function late<T>(before: Promise<unknown>, operation: () => Awaitable<T>, waiter: Waiter | undefined): Promise<T> {
  await (waiter === undefined ? before : unlessAborted(before, waiter.signal));
  return operation();
}

function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    void before.then(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    if (signal.aborted) stop();
  });
}
