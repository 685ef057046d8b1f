import { GatheredBytes } from './gathered-bytes.js';
import { NEWLINE } from './utf8.js';

/** Clients cut long writes into pieces of at least this size; a shorter piece is the last one. */
export const MAY_GO_ON = 4096;

/** Cuts written bytes into lines. A line above the limit is dropped and stands as `undefined` in its place. */
export class LineBuffer {
  private readonly begun = new GatheredBytes();
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  /** Bytes of the line that has begun and not ended. */
  get pending(): number {
    return this.size;
  }

  get isTooLong(): boolean {
    return this.size > this.maxBytes;
  }

  /** The lines that end in `data`, without their newlines. */
  push(data: Uint8Array): (string | undefined)[] {
    const lines: (string | undefined)[] = [];
    let start = 0;
    for (let end = data.indexOf(NEWLINE); end >= 0; end = data.indexOf(NEWLINE, start)) {
      this.keep(data.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    this.keep(data.subarray(start));
    return lines;
  }

  /** Ends the line that has begun. */
  take(): string | undefined {
    const line = this.isTooLong ? undefined : this.begun.text;
    this.begun.clear();
    this.size = 0;
    return line;
  }

  private keep(part: Uint8Array): void {
    if (part.length === 0) return;
    this.size += part.length;
    if (this.isTooLong) this.begun.clear();
    else this.begun.add(part);
  }
}
