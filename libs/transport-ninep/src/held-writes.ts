import type { WriteAllowance } from '#ninep';
import type { TreeNode } from '#virtfs';

const NEWLINE = 0x0a;

/** What one open file keeps of what was written to it, as the connection's allowance counts it. */
export class HeldWrites {
  private held = 0;
  private isRead = false;

  /** Undefined for kinds that keep nothing, or what has a limit of its own. */
  static of({ kind }: TreeNode, allowance: WriteAllowance): HeldWrites | undefined {
    return kind === 'control' || kind === 'text' || kind === 'message' || kind === 'ask'
      ? new HeldWrites(kind === 'control', allowance)
      : undefined;
  }

  private constructor(
    /** Takes effect line by line; only a line that has begun is kept. */
    private readonly isByLine: boolean,
    private readonly allowance: WriteAllowance,
  ) {}

  /** Before a write. Throws NinepError when the connection keeps too much. */
  write(data: Uint8Array): void {
    const begun = this.isByLine ? data.length - 1 - data.lastIndexOf(NEWLINE) : data.length;
    const goesOn = this.isByLine ? begun === data.length : !this.isRead;
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

  private hold(bytes: number): void {
    if (bytes > this.held) this.allowance.take(bytes - this.held);
    else this.allowance.give(this.held - bytes);
    this.held = bytes;
  }
}
