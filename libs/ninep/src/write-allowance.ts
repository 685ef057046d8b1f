import { ioError } from './errors.js';

/** How much of what a connection has written may wait in memory until it takes effect. Whoever keeps bytes takes, and gives back. */
export class WriteAllowance {
  #taken = 0;

  constructor(private readonly most: number) {}

  /** Throws NinepError, and takes nothing, when that is too much. */
  take(bytes: number): void {
    if (this.#taken + bytes > this.most) throw ioError('too much is written and not finished; close some of the files first');
    this.#taken += bytes;
  }

  give(bytes: number): void {
    this.#taken -= bytes;
  }
}
