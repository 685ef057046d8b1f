const NOTHING = new Uint8Array(0);
const FEWEST = 4096;

/** Bytes that wait, in one piece of memory that grows. What was put there is never changed, so that slices can be given out. */
export class OwedBytes {
  private bytes: Uint8Array = NOTHING;
  private from = 0;
  private to = 0;

  get length(): number {
    return this.to - this.from;
  }

  push(piece: Uint8Array): void {
    if (this.to + piece.length > this.bytes.length) this.grow(piece.length);
    this.bytes.set(piece, this.to);
    this.to += piece.length;
  }

  /** At most `count` bytes from `offset`. */
  slice(offset: number, count: number): Uint8Array {
    const start = this.from + offset;
    return this.bytes.subarray(start, Math.min(start + count, this.to));
  }

  /** The first `count` have gone. */
  drop(count: number): void {
    this.from += count;
    if (this.from >= this.to) this.clear();
  }

  /** Takes back what came behind the first `length`. Nobody may still hold a slice of that. */
  shorten(length: number): void {
    this.to = this.from + length;
  }

  clear(): void {
    this.bytes = NOTHING;
    this.from = 0;
    this.to = 0;
  }

  private grow(more: number): void {
    const { length } = this;
    const larger = new Uint8Array(Math.max(FEWEST, 2 * (length + more)));
    larger.set(this.bytes.subarray(this.from, this.to));
    this.bytes = larger;
    this.from = 0;
    this.to = length;
  }
}
