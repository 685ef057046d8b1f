import { illegalArgument, interrupted, ioError } from './errors.js';
import type { AbortListener, AbortSource, Waiter } from './file-server.js';
import { TagTable } from './tag-table.js';

/** A request between its arrival and its reply. */
export class Request implements Waiter, AbortSource {
  /** True once a Tflush named it: an error is not told any more, a success still is. */
  flushed = false;
  #isAborted = false;
  /** Where it is a read that goes on. */
  reads: { dropReader(request: Request): void } | undefined;
  /** Mostly one. */
  #listener: AbortListener | undefined;
  #otherListeners: AbortListener[] | undefined;
  #controller: AbortController | undefined;
  #waiting: (() => void)[] | undefined;

  constructor(
    readonly tag: number,
    /** Bytes it keeps in memory. */
    readonly bytes: number,
  ) {}

  /** Aborts on flush, on clunk of its fid if it is a read, and on hang-up. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(interrupted());
    }
    return this.#controller.signal;
  }

  /** Tells of the same abort without a signal: a read that follows a log waits for every piece of it. */
  get source(): AbortSource {
    return this;
  }

  get aborted(): boolean {
    return this.#isAborted;
  }

  addEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#isAborted) return;
    if (this.#listener === undefined) this.#listener = listener;
    else (this.#otherListeners ??= []).push(listener);
  }

  removeEventListener(_type: 'abort', listener: AbortListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#otherListeners = this.#otherListeners?.filter((other) => other !== listener);
  }

  abort(): void {
    if (this.#isAborted) return;
    this.#isAborted = true;
    this.#listener?.handleEvent();
    for (const listener of this.#otherListeners ?? []) listener.handleEvent();
    this.#controller?.abort(interrupted());
  }

  /** Resolves after the reply was queued, or when there will be none. In the order of the calls. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => (this.#waiting ??= []).push(resolve));
  }

  /** To be called by the owner of the connection, once. */
  done(): void {
    this.reads?.dropReader(this);
    for (const callback of this.#waiting ?? []) callback();
    this.#waiting = undefined;
  }
}

/** How many requests, and bytes of them, a connection may have under way. */
export interface RequestLimits {
  readonly count: number;
  readonly bytes: number;
}

/** The requests of one session that could not be answered at once, by tag. */
export class Requests {
  readonly #byTag = new TagTable<Request>();
  #bytes = 0;

  constructor(private readonly limits: RequestLimits) {}

  find(tag: number): Request | undefined {
    return this.#byTag.get(tag);
  }

  /** NinepError when the tag is in use, or when there are too many requests. A flush is always admitted. */
  admit(tag: number, isFlush: boolean): void {
    if (this.#byTag.get(tag)) throw illegalArgument('tag in use');
    const isFull = this.#byTag.size >= this.limits.count || this.#bytes >= this.limits.bytes;
    if (isFull && !isFlush) throw ioError('too many requests');
  }

  add(request: Request): void {
    this.#byTag.set(request.tag, request);
    this.#bytes += request.bytes;
  }

  /** To be called when the reply is queued: the tag is free then. */
  finish(request: Request): void {
    this.#byTag.delete(request.tag);
    this.#bytes -= request.bytes;
    request.done();
  }

  /** Aborts all; resolves when the last one has ended. */
  async cancelAll(): Promise<void> {
    const all = this.#byTag.values();
    const ended = all.map((request) => request.whenDone());
    for (const request of all) request.abort();
    await Promise.all(ended);
  }
}
