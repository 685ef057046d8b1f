/** Where the bytes of a stream are cut. */
export interface Cuts {
  /** Undefined: nowhere, unless it is bytewise. */
  readonly seed: number | undefined;
  readonly isBytewise: boolean;
}

const MOST_BYTES = 40;

/** Cuts bytes anywhere, inside characters too: the same seed gives the same cuts. */
export class Cutter {
  private state: number;

  constructor(private readonly cuts: Cuts) {
    this.state = cuts.seed ?? 0;
  }

  *cut(bytes: Buffer): Generator<Buffer, void> {
    for (let start = 0; start < bytes.length;) {
      const end = start + this.length(bytes.length);
      yield bytes.subarray(start, end);
      start = end;
    }
  }

  private length(whole: number): number {
    if (this.cuts.isBytewise) return 1;
    return this.cuts.seed === undefined ? whole : 1 + (this.next() % MOST_BYTES);
  }

  /** mulberry32 (public domain). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }
}
