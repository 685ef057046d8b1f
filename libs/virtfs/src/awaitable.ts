import { InterruptedFileError } from './errors.js';
import type { Awaitable } from './types.js';

/** `step(value)`, at once when the value is there already: hot reads stay free of promises. */
export function after<T, U>(value: Awaitable<T>, step: (value: T) => U): Awaitable<U> {
  return isPromise(value) ? value.then(step) : step(value);
}

/** Also for promises of another realm, which are no instance of this one's Promise. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  type Thenable = { readonly then?: unknown } | null | undefined;
  return typeof (value as Thenable)?.then === 'function'; // whatever it is: to look a property up is faster than to ask whether there is one
}

/**
 * Runs `start` and gives its result, or rejects with InterruptedFileError as soon as `signal` aborts,
 * whether or not the work listens to the signal. What the work does after that is nobody's concern.
 */
export function interruptible<T>(start: () => Awaitable<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const interrupt = () => reject(new InterruptedFileError());
    if (signal.aborted) return interrupt();
    signal.addEventListener('abort', interrupt, { once: true });
    const work = async () => start();
    const done = () => signal.removeEventListener('abort', interrupt);
    work().then(resolve, reject).finally(done);
  });
}

/** For work that nobody can cancel any more: commits at close. */
export function uncancelled(): AbortSignal {
  return new AbortController().signal;
}
