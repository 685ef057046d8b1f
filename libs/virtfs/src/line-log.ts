import { Waiters } from './waiters.js';
import { EMPTY } from './utf8.js';

/** Starts of lines that are gone, kept to count them. */
const KNOWN_STARTS = 4096;

/** The line that stands for what is gone: how many lines (an estimate for what is long gone), and where reading goes on. */
export type GapLine = (lost: number, offset: number) => string;

/**
 * A log of lines by offset, of which the newest `maxBytes` are kept. Offsets count from the first line ever, so that one that
 * was saved stays good as long as what it points at is kept.
 */
export class LineLog {
  private readonly grown = new Waiters<void>();
  /** Where each line starts, with its bytes as long as it is kept. */
  private starts: number[] = [];
  private lines: (Buffer | undefined)[] = [];
  private head = 0;
  /** Lines before those in `starts`. */
  private forgotten = 0;
  private size = 0;
  private first = 0;
  private changedMs = Date.now();

  constructor(
    private readonly maxBytes: number,
    readonly gapLine: GapLine,
  ) {}

  /** Bytes of all lines ever. */
  get length(): number {
    return this.size;
  }

  /** Offset of the first line that is kept. */
  get start(): number {
    return this.first;
  }

  get version(): number {
    return this.size;
  }

  get mtimeMs(): number {
    return this.changedMs;
  }

  /** `line` ends in a newline and holds no other. */
  append(line: string): void {
    const bytes = Buffer.from(line, 'utf8');
    this.starts.push(this.size);
    this.lines.push(bytes);
    this.size += bytes.length;
    while (this.size - this.first > this.maxBytes && this.head < this.lines.length - 1) this.drop();
    if (this.head > 2 * KNOWN_STARTS) this.forget();
    this.changedMs = Date.now();
    this.grown.wake();
  }

  /** Lines that begin at or behind `offset` and are not kept. */
  lostSince(offset: number): number {
    const known = this.starts[0] ?? 0;
    if (offset >= known) return Math.max(0, this.head - this.lineFrom(offset));
    return this.head + Math.round((this.forgotten * (known - offset)) / known);
  }

  /** At most `count` bytes; none outside of what is kept. */
  slice(offset: number, count: number): Uint8Array {
    if (offset < this.first || offset >= this.size) return EMPTY;
    const pieces: Uint8Array[] = [];
    let at = this.lineFrom(offset + 1) - 1;
    let skip = offset - (this.starts[at] ?? 0);
    for (let room = count; room > 0 && at < this.lines.length; at++) {
      const piece = (this.lines[at] ?? EMPTY).subarray(skip, skip + room);
      pieces.push(piece);
      room -= piece.length;
      skip = 0;
    }
    return Buffer.concat(pieces);
  }

  /** Resolves when there is another line. Rejects with InterruptedFileError on abort. */
  whenGrown(signal: AbortSignal): Promise<void> {
    return this.grown.wait(signal);
  }

  private drop(): void {
    this.lines[this.head] = undefined;
    this.head += 1;
    this.first = this.starts[this.head] ?? this.size;
  }

  private forget(): void {
    const many = this.head - KNOWN_STARTS;
    this.starts = this.starts.slice(many);
    this.lines = this.lines.slice(many);
    this.head -= many;
    this.forgotten += many;
  }

  /** Number of the first line that starts at or behind `offset`. */
  private lineFrom(offset: number): number {
    let [low, high] = [0, this.starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.starts[middle] ?? 0) >= offset) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
