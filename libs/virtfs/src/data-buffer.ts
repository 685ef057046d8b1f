import { TooLongError } from './errors.js';
import { decode, EMPTY, encode } from './utf8.js';

/** Hears of each change before it is made, and throws to refuse it. */
export interface DataKeeper {
  write(offset: number, data: Uint8Array): void;
  truncate(length: number): void;
}

/** Bytes that a data file reads and writes in place. Slices given out stay as they were: what they show is written to no more. */
export class DataBuffer {
  /** Who wrote last; empty for the server itself. */
  muid = '';
  /** The content, and room behind it. */
  private room: Uint8Array = EMPTY;
  private size = 0;
  /** Where the part of the room ends that somebody may be looking at. */
  private shownEnd = 0;
  private changes = 0;
  private changedMs = Date.now();

  constructor(
    private readonly maxBytes: number,
    private readonly keeper?: DataKeeper,
  ) {}

  get bytes(): Uint8Array {
    this.shownEnd = Math.max(this.shownEnd, this.size);
    return this.room.subarray(0, this.size);
  }

  get length(): number {
    return this.size;
  }

  get version(): number {
    return this.changes;
  }

  get mtimeMs(): number {
    return this.changedMs;
  }

  get text(): string {
    return decode([this.room.subarray(0, this.size)]);
  }

  /** Swaps the whole content and counts a change. Throws TooLongError above the limit, changing nothing. */
  replace(content: Uint8Array | string, muid: string): void {
    const bytes = typeof content === 'string' ? encode(content) : new Uint8Array(content);
    this.demandRoom(bytes.length);
    this.keeper?.truncate(0);
    this.keeper?.write(0, bytes);
    this.room = bytes;
    this.shownEnd = 0;
    this.changed(bytes.length, muid);
  }

  /** Writes at `offset`; a gap before it is filled with zeros. Throws TooLongError above the limit, changing nothing. */
  write(offset: number, data: Uint8Array, muid: string): void {
    const end = offset + data.length;
    this.demandRoom(end);
    this.keeper?.write(offset, data);
    this.prepare(Math.min(offset, this.size), end);
    if (offset > this.size) this.room.fill(0, this.size, offset);
    this.room.set(data, offset);
    this.changed(Math.max(this.size, end), muid);
  }

  /** Cuts or fills with zeros to `length`. */
  truncate(length: number, muid: string): void {
    this.demandRoom(length);
    this.keeper?.truncate(length);
    this.prepare(this.size, length);
    if (length > this.size) this.room.fill(0, this.size, length);
    this.changed(length, muid);
  }

  /** Makes sure that the bytes from `start` to `end` can be written to. */
  private prepare(start: number, end: number): void {
    const isFree = end <= this.room.length && (start >= this.shownEnd || start >= end);
    if (isFree) return;
    const room = new Uint8Array(Math.min(this.maxBytes, Math.max(end, 2 * this.size)));
    room.set(this.room.subarray(0, this.size));
    this.room = room;
    this.shownEnd = 0;
  }

  private demandRoom(length: number): void {
    if (length > this.maxBytes) throw new TooLongError();
  }

  private changed(size: number, muid: string): void {
    this.size = size;
    this.muid = muid;
    this.changes++;
    this.changedMs = Date.now();
  }
}
