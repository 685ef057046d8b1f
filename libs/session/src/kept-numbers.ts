import type { ProcessNumbers } from '#model';

/** The process numbers of one session, as its file has them. */
export class KeptNumbers implements ProcessNumbers {
  private write: () => void = () => undefined;

  constructor(private reached: number) {}

  get last(): number {
    return this.reached;
  }

  keep(last: number): void {
    const before = this.reached;
    this.reached = last;
    try {
      this.write();
    } catch (error) {
      this.reached = before;
      throw error;
    }
  }

  /** `write` puts them into the file; what it throws refuses the change. */
  keptBy(write: () => void): void {
    this.write = write;
  }
}
