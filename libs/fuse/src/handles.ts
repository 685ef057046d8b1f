import { FuseError } from './errors.js';

/** Things by the number that the kernel calls them. */
export class Handles<T> {
  readonly #byNumber = new Map<number, T>();
  #next = 1;

  add(thing: T): number {
    const number = this.#next++;
    this.#byNumber.set(number, thing);
    return number;
  }

  /** EBADF for a number that is not in use. */
  get(number: number): T {
    const thing = this.#byNumber.get(number);
    if (thing === undefined) throw new FuseError('EBADF');
    return thing;
  }

  take(number: number): T {
    const thing = this.get(number);
    this.#byNumber.delete(number);
    return thing;
  }

  /** Takes all. */
  clear(): readonly T[] {
    const all = [...this.#byNumber.values()];
    this.#byNumber.clear();
    return all;
  }
}
