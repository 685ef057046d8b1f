import { ioError } from './errors.js';

const CHUNK_BYTES = 16 * 1024;

/**
 * Collects messages for one write. Bytes that were taken are never written to again, so that the
 * kernel may still be sending them: the writer goes on behind them and gets a new chunk when one is full.
 */
export class Writer {
  #chunk: Buffer = Buffer.alloc(0);
  #start = 0;
  #message = 0;
  #at = 0;
  #full: Buffer[] = [];
  #fullBytes = 0;

  /** Bytes of finished messages that nobody has taken yet. */
  get length(): number {
    return this.#fullBytes + this.#message - this.#start;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#chunk.writeUInt8(value, at);
  }

  u16(value: number): void {
    const at = this.#reserve(2);
    this.#chunk.writeUInt16LE(value, at);
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#chunk.writeUInt32LE(value, at);
  }

  u64(value: number): void {
    this.u32(value % 0x100000000);
    this.u32(Math.floor(value / 0x100000000));
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    if (length > 0xffff) throw ioError('text too long');
    this.u16(length);
    const at = this.#reserve(length);
    this.#chunk.write(value, at, length, 'utf8');
  }

  bytes(data: Uint8Array): void {
    const at = this.#reserve(data.length);
    this.#chunk.set(data, at);
  }

  /** Where the next byte goes, counted from the start of the message. */
  get position(): number {
    return this.#at - this.#message;
  }

  setU16(position: number, value: number): void {
    this.#chunk.writeUInt16LE(value, this.#message + position);
  }

  setU32(position: number, value: number): void {
    this.#chunk.writeUInt32LE(value, this.#message + position);
  }

  /** Ends the message: it will be taken. */
  commit(): void {
    this.#message = this.#at;
  }

  /** Forgets the unfinished message. */
  rollback(): void {
    this.#at = this.#message;
  }

  /** The finished messages, in order. */
  take(): readonly Buffer[] {
    const pieces = this.#full;
    if (this.#message > this.#start) pieces.push(this.#chunk.subarray(this.#start, this.#message));
    this.#start = this.#message;
    this.#full = [];
    this.#fullBytes = 0;
    return pieces;
  }

  #reserve(length: number): number {
    if (length > this.#chunk.length - this.#at) this.#renew(length);
    const at = this.#at;
    this.#at = at + length;
    return at;
  }

  #renew(length: number): void {
    const begun = this.#chunk.subarray(this.#message, this.#at);
    if (this.#message > this.#start) {
      this.#full.push(this.#chunk.subarray(this.#start, this.#message));
      this.#fullBytes += this.#message - this.#start;
    }
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, begun.length + length));
    begun.copy(this.#chunk);
    this.#start = this.#message = 0;
    this.#at = begun.length;
  }
}
