/** Calls back once nothing was under way for `idleMs`. Does not keep the program alive. */
export class IdleTimer {
  private active = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly idleMs: number,
    private readonly onIdle: () => void,
  ) {}

  get isActive(): boolean {
    return this.active > 0;
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.active += 1;
    this.stop();
    try {
      return await work();
    } finally {
      this.active -= 1;
      this.restart();
    }
  }

  /** Starts the wait over, if nothing is under way. */
  restart(): void {
    this.stop();
    if (!this.isActive) this.timer = setTimeout(this.onIdle, this.idleMs).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
