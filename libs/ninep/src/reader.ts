import { illegalArgument } from './errors.js';

const HIGHEST_SAFE_HALF = 0x1fffff;

/** Reads little-endian fields of one message. One reader serves a whole connection. Throws NinepError past the end. */
export class Reader {
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;

  reset(buffer: Buffer, start: number, end: number): this {
    this.#buffer = buffer;
    this.#at = start;
    this.#end = end;
    return this;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  u8(): number {
    return this.#buffer.readUInt8(this.#skip(1));
  }

  u16(): number {
    return this.#buffer.readUInt16LE(this.#skip(2));
  }

  u32(): number {
    return this.#buffer.readUInt32LE(this.#skip(4));
  }

  /** Values beyond 2^53-1 come as 2^53-1. */
  u64(): number {
    const low = this.u32();
    const high = this.u32();
    return high > HIGHEST_SAFE_HALF ? Number.MAX_SAFE_INTEGER : high * 0x100000000 + low;
  }

  text(): string {
    const length = this.u16();
    const start = this.#skip(length);
    return this.#buffer.toString('utf8', start, start + length);
  }

  /** A view, not a copy. */
  bytes(length: number): Buffer {
    const start = this.#skip(length);
    return this.#buffer.subarray(start, start + length);
  }

  #skip(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw illegalArgument('message too short');
    this.#at = start + length;
    return start;
  }
}
