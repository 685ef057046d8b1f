import { abortable } from '#model';

interface Running<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

/** One piece of work for all who ask for its result while it goes on; it is given up when nobody waits for it any more. */
export class Shared<T> {
  private running: Running<T> | undefined;

  constructor(private readonly work: (signal: AbortSignal) => Promise<T>) {}

  /** Rejects as the work does, or with the signal's reason. */
  async result(signal: AbortSignal): Promise<T> {
    signal.throwIfAborted();
    const running = (this.running ??= this.begin());
    running.waiting += 1;
    try {
      return await abortable(running.result, signal);
    } finally {
      running.waiting -= 1;
      if (running.waiting === 0) this.leave(running);
    }
  }

  /** Who asks from now on gets a result that is no older than this moment. */
  renew(): void {
    this.running = undefined;
  }

  private begin(): Running<T> {
    const abort = new AbortController();
    const running = { result: this.work(abort.signal), abort, waiting: 0 };
    const end = (): void => this.end(running);
    void running.result.then(end, end);
    return running;
  }

  private leave(running: Running<T>): void {
    running.abort.abort();
    this.end(running);
  }

  private end(running: Running<T>): void {
    if (this.running === running) this.running = undefined;
  }
}
