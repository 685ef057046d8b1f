/** Lets so many pieces of work run at a time; the others wait, in order, and none begins before the next loop of the process. */
export class Slots {
  private readonly under = new Set<Promise<unknown>>();
  private readonly waiting: (() => void)[] = [];
  private used = 0;

  constructor(private readonly most: number) {}

  /** Settles as the work does. */
  run(work: () => Promise<void>): Promise<void> {
    const whole = this.wait(work).finally(() => this.under.delete(whole));
    this.under.add(whole);
    return whole;
  }

  /** Resolves when no work is left. */
  async idle(): Promise<void> {
    while (this.under.size > 0) await Promise.allSettled(this.under);
  }

  private async wait(work: () => Promise<void>): Promise<void> {
    if (this.used === this.most) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.used += 1;
    try {
      await new Promise((resolve) => setImmediate(resolve));
      await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.used -= 1;
    }
  }
}
