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
  private idleMs: number;
  private progressMs: number;
  /** Since when nothing came, and nothing of substance: as `performance.now()` says, while it waits. */
  private silentSince = 0;
  private emptySince = 0;
  /** Of the waits before this one, since there was something of substance. */
  private emptyMs = 0;
  /** One for a whole wait: what comes only moves what it looks at. */
  private timer: NodeJS.Timeout | undefined;
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

  /** Waits for the other side; for one thing at a time. */
  async wait<T>(work: Promise<T>): Promise<T> {
    this.silentSince = performance.now();
    this.emptySince = this.silentSince - this.emptyMs;
    this.watch();
    try {
      return await work;
    } finally {
      this.emptyMs = performance.now() - this.emptySince;
      clearTimeout(this.timer);
      this.timer = undefined;
    }
  }

  /** The other side said something, while it is waited for. */
  heard(): void {
    this.silentSince = performance.now();
  }

  /** It was something of substance. */
  progress(): void {
    this.emptyMs = 0;
    this.emptySince = this.silentSince;
  }

  /** Only little is still to come: from now on `ms` is all that is waited, whatever else is said. */
  shorten(ms: number): void {
    if (ms >= this.idleMs) return;
    this.idleMs = ms;
    this.progressMs = Math.min(this.progressMs, ms);
    this.heard();
    this.progress();
    if (this.timer) this.watch();
  }

  /** Drops the connection if it still runs; nothing is kept. */
  close(): void {
    this.caller.removeEventListener('abort', this.onAbort);
    this.controller.abort();
  }

  /** Of the two limits the one that comes first. */
  private get limit(): { readonly cause: EndCause; readonly atMs: number } {
    const [idleAt, emptyAt] = [this.silentSince + this.idleMs, this.emptySince + this.progressMs];
    return emptyAt < idleAt ? { cause: 'progress', atMs: emptyAt } : { cause: 'idle', atMs: idleAt };
  }

  private watch(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), Math.max(0, Math.ceil(this.limit.atMs - performance.now())));
  }

  /** After the event loop was held up, timers run before what has come meanwhile is read: so it is read first. */
  private look(): void {
    if (performance.now() < this.limit.atMs) return this.watch();
    setImmediate(() => {
      if (!this.timer) return;
      if (performance.now() < this.limit.atMs) this.watch();
      else this.end(this.limit.cause);
    });
  }

  private end(cause: EndCause): void {
    this.endCause ??= cause;
    this.controller.abort();
  }
}
