/** A value now or later. What can answer at once does, and costs no turn of the event loop. */
export type Awaitable<T> = T | Promise<T>;

/** Also true for promises of another realm, which `instanceof` would miss. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  type Thenable = { readonly then?: unknown } | null | undefined;
  return typeof (value as Thenable)?.then === 'function'; // whatever it is: to look a property up is faster than to ask whether there is one
}

/** `transform(value)`: at once when the value is there, else when it comes. */
export function chain<T, R>(value: Awaitable<T>, transform: (value: T) => R): Awaitable<R> {
  return isPromise(value) ? value.then(transform) : transform(value);
}
