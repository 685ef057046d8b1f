const FIRST_CAPACITY = 1024;

/** Bytes that come in pieces and go from the front; a byte is copied a few times at most, however small the pieces are. */
export class ByteQueue {
  private held: Buffer = Buffer.alloc(0);
  private start = 0;
  private end = 0;

  get length(): number {
    return this.end - this.start;
  }

  /** All that is held; good until something is appended. */
  get bytes(): Buffer {
    return this.held.subarray(this.start, this.end);
  }

  append(piece: Buffer): void {
    if (this.end + piece.length > this.held.length) this.makeRoom(piece.length);
    this.end += piece.copy(this.held, this.end);
  }

  drop(count: number): void {
    this.start += count;
  }

  private makeRoom(more: number): void {
    const { bytes } = this;
    const needed = bytes.length + more;
    // What is moved within its own place is at most as much as was dropped since.
    const fits = needed <= this.held.length && this.start >= bytes.length;
    const target = fits ? this.held : Buffer.allocUnsafe(Math.max(FIRST_CAPACITY, 2 * needed));
    this.end = bytes.copy(target);
    this.start = 0;
    this.held = target;
  }
}
