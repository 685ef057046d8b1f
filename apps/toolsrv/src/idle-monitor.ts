const STARTUP_GRACE_MS = 60_000;

/** What the monitor looks at. */
export interface Activity {
  readonly connections: number;
  readonly running: number;
}

/**
 * Ends a server that nobody uses: one that got no connection within 60 s of its start, and one that has been
 * without connections for the idle timeout. While a process runs the server is in use.
 */
export class IdleMonitor {
  private timer: NodeJS.Timeout | undefined;
  private hadConnection = false;

  /** `idleMs` undefined = the server never ends by itself. */
  constructor(
    private readonly idleMs: number | undefined,
    private readonly onIdle: () => void,
    private readonly graceMs: number = STARTUP_GRACE_MS,
  ) {}

  /** To be called at the start and whenever connections or processes come or go. */
  note({ connections, running }: Activity): void {
    clearTimeout(this.timer);
    this.hadConnection ||= connections > 0;
    if (this.idleMs === undefined || connections > 0 || running > 0) return;
    this.timer = setTimeout(this.onIdle, this.hadConnection ? this.idleMs : this.graceMs);
    this.timer.unref();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}
