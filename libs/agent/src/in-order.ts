/** Runs steps in the order of their names, each as soon as those before it have run, however they come. */
export class InOrder {
  private readonly ready = new Map<string, () => void>();
  private next = 0;

  constructor(private readonly names: readonly string[]) {}

  /** `step` runs now or when a later call of this lets it. */
  add(name: string, step: () => void): void {
    this.ready.set(name, step);
    for (let due = this.take(); due; due = this.take()) due();
  }

  private take(): (() => void) | undefined {
    const step = this.ready.get(this.names[this.next] ?? '');
    if (step) this.next += 1;
    return step;
  }
}
