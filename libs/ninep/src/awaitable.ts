/** A value now or later. What can answer at once does, and costs no turn of the event loop. */
export type Awaitable<T> = T | Promise<T>;

/** Who waits for a value. Exactly one of the two is called, once, in the moment in which it is known; neither may throw. */
export interface Settled<in T> {
  there(value: T): void;
  failed(error: unknown): void;
}

/** A value that one waits for: a promise to all who want one, and less than that to who can do without. */
export interface Later<out T> extends PromiseLike<T> {
  /** At most one waits so; at once when it is known already. */
  whenSettled(waiting: Settled<T>): void;
}

export function isLater<T>(value: Awaitable<T> | Later<T>): value is Later<T> {
  return typeof (value as Partial<Later<T>> | null | undefined)?.whenSettled === 'function'; // whatever it is, as below
}

/** Also true for promises of another realm, which `instanceof` would miss. */
export function isPromise<T>(value: Awaitable<T> | Later<T>): value is Promise<T> {
  type Thenable = { readonly then?: unknown } | null | undefined;
  return typeof (value as Thenable)?.then === 'function'; // whatever it is: to look a property up is faster than to ask whether there is one
}

/** `transform(value)`: at once when the value is there, else when it comes. */
export function chain<T, R>(value: Awaitable<T>, transform: (value: T) => R): Awaitable<R> {
  return isPromise(value) ? value.then(transform) : transform(value);
}
