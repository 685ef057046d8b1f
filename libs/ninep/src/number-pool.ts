import { ioError } from './errors.js';

/** Numbers from 0 up (tags, fids): a number is given again only after it was released. */
export class NumberPool {
  readonly #free: number[] = [];
  #next = 0;

  constructor(
    private readonly what: string,
    private readonly end: number,
  ) {}

  take(): number {
    const again = this.#free.pop();
    if (again !== undefined) return again;
    if (this.#next === this.end) throw ioError(`too many ${this.what}`);
    return this.#next++;
  }

  release(number: number): void {
    this.#free.push(number);
  }
}
