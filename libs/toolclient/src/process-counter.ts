import type { ProcessNumbers } from '#model';

/** So many numbers are kept as given ahead of their use, so that few calls wait for the disk; a sudden death skips them. */
const STEP = 256;

/** Counts the numbers that calls may have taken: a tool server after this one goes on behind them. */
export class ProcessCounter {
  private taken: number;

  constructor(private readonly numbers: ProcessNumbers) {
    this.taken = numbers.last;
  }

  /** No process has a number above this. */
  get last(): number {
    return this.taken;
  }

  /** A call may take the next one. Throws PartnerError. */
  take(): void {
    if (this.taken >= this.numbers.last) this.numbers.keep(this.taken + STEP);
    this.taken += 1;
  }

  /** No call comes any more: numbers that none has taken are free. Throws PartnerError. */
  close(): void {
    if (this.taken < this.numbers.last) this.numbers.keep(this.taken);
  }
}
