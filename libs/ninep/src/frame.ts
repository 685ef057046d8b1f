import { illegalArgument } from './errors.js';
import { HEADER_BYTES } from './fcall.js';
import type { Reader } from './reader.js';

const SIZE_BYTES = 4;
const FIRST_BYTES = 16 * 1024;
const nothing = Buffer.alloc(0);

/**
 * Cuts a byte stream into frames. Frames that lie within one chunk are not copied; memory for one that
 * does not is taken as its bytes come, after its size was found to be allowed.
 */
export class Framer {
  #chunk: Buffer = nothing;
  #at = 0;
  #begun: Buffer = nothing;
  #wanted = 0;
  #filled = 0;

  constructor(
    /** The longest frame allowed at the moment. */
    private readonly limit: () => number,
  ) {}

  push(chunk: Buffer): void {
    this.#chunk = this.#at < this.#chunk.length ? Buffer.concat([this.#chunk.subarray(this.#at), chunk]) : chunk;
    this.#at = 0;
  }

  /** Points `reader` at the next whole frame; false when there is none yet. Throws NinepError on a size that is not allowed. */
  next(reader: Reader): boolean {
    if (this.#begun.length > 0) return this.#resume(reader);
    const available = this.#chunk.length - this.#at;
    if (available < SIZE_BYTES) return this.#begin(SIZE_BYTES, available);
    const size = this.#check(this.#chunk.readUInt32LE(this.#at));
    if (available < size) return this.#begin(size, available);
    reader.reset(this.#chunk, this.#at, this.#at + size);
    this.#at += size;
    return true;
  }

  #begin(size: number, available: number): false {
    if (available > 0) {
      this.#begun = Buffer.allocUnsafeSlow(Math.min(size, FIRST_BYTES));
      this.#wanted = size;
      this.#filled = 0;
      this.#fill();
    }
    return false;
  }

  #resume(reader: Reader): boolean {
    this.#fill();
    if (this.#filled < this.#wanted) return false;
    if (this.#wanted === SIZE_BYTES) return this.#goOn(reader);
    reader.reset(this.#begun, 0, this.#wanted);
    this.#begun = nothing;
    return true;
  }

  /** The size is there: now the rest of the frame. */
  #goOn(reader: Reader): boolean {
    this.#wanted = this.#check(this.#begun.readUInt32LE(0));
    return this.#resume(reader);
  }

  #fill(): void {
    const count = Math.min(this.#wanted - this.#filled, this.#chunk.length - this.#at);
    if (this.#filled + count > this.#begun.length) this.#grow(this.#filled + count);
    this.#chunk.copy(this.#begun, this.#filled, this.#at, this.#at + count);
    this.#filled += count;
    this.#at += count;
  }

  #grow(least: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#wanted, Math.max(least, 2 * this.#begun.length)));
    this.#begun.copy(grown, 0, 0, this.#filled);
    this.#begun = grown;
  }

  #check(size: number): number {
    if (size < HEADER_BYTES || size > this.limit()) throw illegalArgument(`message size ${size}`);
    return size;
  }
}
