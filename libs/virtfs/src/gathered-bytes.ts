import { decode, EMPTY } from './utf8.js';

/** A copy of bytes that come in pieces, however small: one array, with room for as much again at most. */
export class GatheredBytes {
  private room: Uint8Array = EMPTY;
  private size = 0;

  get text(): string {
    return decode([this.room.subarray(0, this.size)]);
  }

  /** A copy. */
  get bytes(): Uint8Array {
    return this.room.slice(0, this.size);
  }

  add(piece: Uint8Array): void {
    const needed = this.size + piece.length;
    if (needed > this.room.length) this.grow(needed);
    this.room.set(piece, this.size);
    this.size = needed;
  }

  clear(): void {
    this.room = EMPTY;
    this.size = 0;
  }

  private grow(needed: number): void {
    const room = new Uint8Array(Math.max(needed, 2 * this.size));
    room.set(this.room.subarray(0, this.size));
    this.room = room;
  }
}
