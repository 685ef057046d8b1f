import { TooLongError } from './errors.js';
import { decode, EMPTY, encode } from './utf8.js';

/** Bytes that a data file reads and writes in place. Each change makes a new array, so slices given out stay as they were. */
export class DataBuffer {
  /** Who wrote last; empty for the server itself. */
  muid = '';
  private content: Uint8Array = EMPTY;
  private changes = 0;
  private changedMs = Date.now();

  constructor(private readonly maxBytes: number) {}

  get bytes(): Uint8Array {
    return this.content;
  }

  get version(): number {
    return this.changes;
  }

  get mtimeMs(): number {
    return this.changedMs;
  }

  get text(): string {
    return decode([this.content]);
  }

  /** Swaps the whole content and counts a change. Throws TooLongError above the limit, changing nothing. */
  replace(content: Uint8Array | string, muid: string): void {
    const bytes = typeof content === 'string' ? encode(content) : new Uint8Array(content);
    if (bytes.length > this.maxBytes) throw new TooLongError();
    this.content = bytes;
    this.muid = muid;
    this.changes++;
    this.changedMs = Date.now();
  }

  /** Writes at `offset`; a gap before it is filled with zeros. Throws TooLongError above the limit, changing nothing. */
  write(offset: number, data: Uint8Array, muid: string): void {
    const bytes = this.resized(Math.max(this.content.length, offset + data.length));
    bytes.set(data, offset);
    this.replace(bytes, muid);
  }

  /** Cuts or fills with zeros to `length`. */
  truncate(length: number, muid: string): void {
    this.replace(this.resized(length), muid);
  }

  private resized(length: number): Uint8Array {
    if (length > this.maxBytes) throw new TooLongError();
    const bytes = new Uint8Array(length);
    bytes.set(this.content.subarray(0, length));
    return bytes;
  }
}
