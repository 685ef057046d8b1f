import { ioError } from './errors.js';

const CHUNK_BYTES = 16 * 1024;
/** Data of at least this length is sent from where it lies: a copy would cost more than a piece of its own. */
const BORROW_BYTES = 4 * 1024;

/**
 * Collects messages for one write. Bytes that were taken are never written to again, so that the
 * kernel may still be sending them: the writer goes on behind them and gets a new chunk when one is full.
 * Long data at the end of a message is not copied, so whoever gives it must not change it afterwards.
 */
export class Writer {
  #chunk: Buffer = Buffer.alloc(0);
  #start = 0;
  #message = 0;
  #at = 0;
  #full: Uint8Array[] = [];
  #fullBytes = 0;
  #borrowed: Uint8Array | undefined;

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
    if (data.length >= BORROW_BYTES && !this.#borrowed) {
      this.#borrowed = data;
      return;
    }
    const at = this.#reserve(data.length);
    this.#chunk.set(data, at);
  }

  /** Where the next byte goes, counted from the start of the message. */
  get position(): number {
    return this.#at - this.#message + (this.#borrowed?.length ?? 0);
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
    if (!this.#borrowed) return;
    this.#finish();
    this.#push(this.#borrowed);
    this.#borrowed = undefined;
  }

  /** Forgets the unfinished message. */
  rollback(): void {
    this.#at = this.#message;
    this.#borrowed = undefined;
  }

  /** The finished messages, in order. */
  take(): readonly Uint8Array[] {
    this.#finish();
    const pieces = this.#full;
    this.#full = [];
    this.#fullBytes = 0;
    return pieces;
  }

  /** Turns what is finished in the chunk into a piece. */
  #finish(): void {
    if (this.#message > this.#start) this.#push(this.#chunk.subarray(this.#start, this.#message));
    this.#start = this.#message;
  }

  #push(piece: Uint8Array): void {
    this.#full.push(piece);
    this.#fullBytes += piece.length;
  }

  /** Something follows the borrowed data after all: then it is copied like any other. */
  #settle(): void {
    const data = this.#borrowed;
    if (!data) return;
    this.#borrowed = undefined;
    const at = this.#reserve(data.length);
    this.#chunk.set(data, at);
  }

  #reserve(length: number): number {
    if (this.#borrowed) this.#settle();
    if (length > this.#chunk.length - this.#at) this.#renew(length);
    const at = this.#at;
    this.#at = at + length;
    return at;
  }

  #renew(length: number): void {
    const begun = this.#chunk.subarray(this.#message, this.#at);
    this.#finish();
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, begun.length + length));
    begun.copy(this.#chunk);
    this.#start = this.#message = 0;
    this.#at = begun.length;
  }
}
