/**
 * Where the answer of a read-write handle begins for its reader (contract 1.5): the first read after a
 * write may come at offset 0 or where that write ended, and either is byte 0 of the answer. A client whose write was refused is still
 * where that began.
 */
export class AnswerCursor {
  private base = 0;
  private end = 0;
  private refused: number | undefined;
  private isFresh = false;

  wrote(offset: number, length: number): void {
    this.base = 0;
    this.end = offset + length;
    this.refused = undefined;
    this.isFresh = true;
  }

  /** The write that began at `offset` has failed. */
  refuse(offset: number): void {
    this.refused = offset;
  }

  /** The place in the answer that a read at `offset` means. */
  locate(offset: number): number {
    if (this.isFresh && (offset === 0 || offset === this.end || offset === this.refused)) {
      this.base = offset;
      this.isFresh = false;
    }
    if (offset < this.base) this.base = 0;
    return offset - this.base;
  }
}
