import { InterruptedFileError, ValueCell, type Client } from '#virtfs';

const MAX_CLIENTS = 1024;

/** Something that waits for an answer. Numbers grow. */
export interface OpenRequest {
  readonly id: string;
  readonly number: number;
  /** Somebody has it. */
  isGiven: boolean;
}

/**
 * The requests without an answer, oldest first. `next` gives each of them once to each client (by tag); the counters of
 * 1,024 clients are kept, the one unused for longest goes first, and such a client is given again what is still open.
 */
export class OpenRequests<T extends OpenRequest> {
  private readonly requests = new Map<string, T>();
  private readonly newest = new ValueCell(0);
  /** The number of the last request that a client has had. */
  private readonly had = new Map<string, number>();

  get size(): number {
    return this.requests.size;
  }

  /** Somebody has one of them and has not answered. */
  get isHeld(): boolean {
    return [...this.requests.values()].some((request) => request.isGiven);
  }

  list(): readonly T[] {
    return [...this.requests.values()];
  }

  find(id: string): T | undefined {
    return this.requests.get(id);
  }

  /** To be called in the order of the numbers. */
  add(request: T): void {
    this.requests.set(request.id, request);
    this.newest.set(request.number);
  }

  /** False when it was no longer there: somebody was faster. */
  remove(request: T): boolean {
    return this.requests.delete(request.id);
  }

  /** Waits for the oldest one that this client has not had. Rejects with InterruptedFileError on abort, and nothing counts as had then. */
  async next(client: Client, signal: AbortSignal): Promise<T> {
    for (;;) {
      // Another read of the same client may have been faster.
      await this.newest.until(() => this.unseenBy(client) !== undefined, signal);
      if (signal.aborted) throw new InterruptedFileError();
      const request = this.unseenBy(client);
      if (request !== undefined) return this.give(request, client);
    }
  }

  private unseenBy({ tag }: Client): T | undefined {
    const last = this.had.get(tag) ?? 0;
    return this.list().find(({ number }) => number > last);
  }

  private give(request: T, { tag }: Client): T {
    request.isGiven = true;
    this.had.delete(tag);
    this.had.set(tag, request.number);
    const [oldest] = this.had.keys();
    if (this.had.size > MAX_CLIENTS && oldest !== undefined) this.had.delete(oldest);
    return request;
  }
}
