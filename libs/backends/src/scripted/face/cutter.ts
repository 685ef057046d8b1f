/** Cuts bytes anywhere, inside characters too: the same seed gives the same cuts. Without a seed nothing is cut. */
export class Cutter {
  private state: number;

  constructor(
    private readonly seed: number | undefined,
    private readonly mostBytes = 40,
  ) {
    this.state = seed ?? 0;
  }

  *cut(text: string): Generator<Buffer, void> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length;) {
      const end = this.seed === undefined ? bytes.length : start + 1 + (this.next() % this.mostBytes);
      yield bytes.subarray(start, end);
      start = end;
    }
  }

  /** mulberry32 (public domain). */
  private next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  }
}
