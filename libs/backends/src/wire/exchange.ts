/** How long an answer may stay silent: `idleMs` without a byte, `progressMs` without anything but keep-alives. */
export interface Patience {
  readonly idleMs: number;
  readonly progressMs: number;
}

export type EndCause = 'aborted' | 'idle' | 'progress';

/**
 * The life of one HTTP request. Its signal aborts when the caller aborts, when the other side is silent for too long
 * and when it is closed. Only time spent in `wait` counts as silence, so that a slow consumer never looks like one.
 */
export class Exchange {
  private readonly controller = new AbortController();
  private waitedMs = 0;
  private idleMs: number;
  private progressMs: number;
  private endCause: EndCause | undefined;
  private readonly onAbort = (): void => this.end('aborted');

  constructor(
    { idleMs, progressMs }: Patience,
    private readonly caller: AbortSignal,
  ) {
    this.idleMs = idleMs;
    this.progressMs = progressMs;
    if (caller.aborted) this.end('aborted');
    else caller.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Why the signal aborted; undefined while it did not, or when the exchange was simply closed. */
  get cause(): EndCause | undefined {
    return this.endCause;
  }

  /** Waits for the other side. */
  async wait<T>(work: Promise<T>): Promise<T> {
    const progressLeft = this.progressMs - this.waitedMs;
    const limit = Math.min(this.idleMs, progressLeft);
    const timer = setTimeout(() => this.end(progressLeft < this.idleMs ? 'progress' : 'idle'), Math.max(0, limit));
    const started = performance.now();
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      this.waitedMs += performance.now() - started;
    }
  }

  /** The other side said something of substance. */
  progress(): void {
    this.waitedMs = 0;
  }

  /** Only little is still to come: from now on `ms` is all that is waited, whatever else is said. */
  shorten(ms: number): void {
    if (ms >= this.idleMs) return;
    this.idleMs = ms;
    this.progressMs = Math.min(this.progressMs, ms);
    this.waitedMs = 0;
  }

  /** Drops the connection if it still runs; nothing is kept. */
  close(): void {
    this.caller.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  private end(cause: EndCause): void {
    this.endCause ??= cause;
    this.controller.abort();
  }
}
