import type { LogRead } from './log-read.js';

/** The reads that wait at the end of a log: mostly none or one. */
export class LogReads {
  private one: LogRead | undefined;
  private others: LogRead[] | undefined;

  add(read: LogRead): void {
    if (this.one === undefined) this.one = read;
    else (this.others ??= []).push(read);
  }

  remove(read: LogRead): void {
    if (this.one === read) this.one = undefined;
    else this.others = this.others?.filter((other) => other !== read);
  }

  /** Lets each look; those whose bytes are not there yet stay. */
  wake(): void {
    const { one, others } = this;
    if (one === undefined && others === undefined) return;
    this.one = undefined;
    this.others = undefined;
    if (one && !one.look()) this.add(one);
    for (const read of others ?? []) if (!read.isOver && !read.look()) this.add(read);
  }
}
