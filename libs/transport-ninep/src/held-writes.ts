import type { WriteAllowance } from '#ninep';
import { PAUSE_MS, type TreeNode } from '#virtfs';

const NEWLINE = 0x0a;

/** When what was written takes effect: line by line, at a read or the close, or also after a pause. */
type Manner = 'line' | 'message' | 'pause';

const MANNERS: Readonly<Partial<Record<TreeNode['kind'], Manner>>> = {
  control: 'line',
  settings: 'line',
  text: 'message',
  message: 'message',
  ask: 'message',
  queue: 'message',
  latest: 'pause',
};

/** What one open file keeps of what was written to it, as the connection's allowance counts it. */
export class HeldWrites {
  private held = 0;
  private isRead = false;
  private lastMs = -Infinity;

  /** Undefined for kinds that keep nothing, or what has a limit of its own. */
  static of({ kind }: TreeNode, allowance: WriteAllowance): HeldWrites | undefined {
    const manner = MANNERS[kind];
    return manner && new HeldWrites(manner, allowance);
  }

  private constructor(
    private readonly manner: Manner,
    private readonly allowance: WriteAllowance,
  ) {}

  /** Before a write. Throws NinepError when the connection keeps too much. */
  write(data: Uint8Array): void {
    // Of lines only the one that has begun is kept.
    const begun = this.manner === 'line' ? data.length - 1 - data.lastIndexOf(NEWLINE) : data.length;
    const goesOn = this.goesOn(begun === data.length);
    this.isRead = false;
    this.hold(goesOn ? this.held + begun : begun);
  }

  /** A read ends a message: the next write begins another. */
  read(): void {
    this.isRead = true;
  }

  release(): void {
    this.hold(0);
  }

  private goesOn(endsNoLine: boolean): boolean {
    if (this.manner === 'line') return endsNoLine;
    if (this.manner === 'message') return !this.isRead;
    const before = this.lastMs;
    this.lastMs = performance.now();
    return this.lastMs - before <= 2 * PAUSE_MS; // a timer may be late
  }

  private hold(bytes: number): void {
    if (bytes > this.held) this.allowance.take(bytes - this.held);
    else this.allowance.give(this.held - bytes);
    this.held = bytes;
  }
}
