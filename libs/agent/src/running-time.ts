/** For how long something has been running, in all, in milliseconds. */
export class RunningTime {
  private past = 0;
  private since: number | undefined;

  get total(): number {
    return this.past + (this.since === undefined ? 0 : performance.now() - this.since);
  }

  /** Of an earlier process. */
  restore(past: number): void {
    this.past = past;
  }

  start(): void {
    this.since ??= performance.now();
  }

  stop(): void {
    this.past = this.total;
    this.since = undefined;
  }
}
