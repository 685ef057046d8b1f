/**
 * Lets one through each time the event loop comes round, in order; who comes alone does not wait. Many who begin together
 * then leave time in between for what those before them bring.
 */
export class OneByOne {
  private readonly waiting: (() => void)[] = [];
  private isBusy = false;

  /** Resolves when it is one's turn. */
  async turn(): Promise<void> {
    if (this.isBusy) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.begin();
  }

  private begin(): void {
    this.isBusy = true;
    setImmediate(() => {
      this.isBusy = false;
      const next = this.waiting.shift();
      if (!next) return;
      this.begin();
      next();
    });
  }
}
