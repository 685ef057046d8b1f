import { InterruptedFileError } from './errors.js';
import type { AbortListener, AbortSource, Later, Settled } from './types.js';

const ONCE = { once: true } as const;

/** Where a read finds what it waits for. */
export interface LogReadSource {
  /** Undefined: not there yet. */
  take(offset: number, count: number): Uint8Array | undefined;
  /** To be called by a read whose client waits no more. */
  forget(read: LogRead): void;
}

/**
 * A read that waits at the end of a log. One who follows a log waits for every piece of it, and promises would be most of
 * what that costs: so it is itself what waits, what hears of an abort, and what is waited for.
 */
export class LogRead implements Later<Uint8Array>, AbortListener {
  private waiting: Settled<Uint8Array> | undefined;
  private value: Uint8Array | undefined;
  private error: unknown;

  constructor(
    private readonly log: LogReadSource,
    private readonly offset: number,
    private readonly count: number,
    private readonly source: AbortSource,
  ) {
    if (source.aborted) this.error = new InterruptedFileError();
    else source.addEventListener('abort', this, ONCE);
  }

  get isOver(): boolean {
    return this.value !== undefined || this.error !== undefined;
  }

  /** Looks whether it is there now. True when nothing is waited for any more. */
  look(): boolean {
    try {
      this.value = this.log.take(this.offset, this.count);
    } catch (error) {
      this.error = error;
    }
    if (!this.isOver) return false;
    this.source.removeEventListener('abort', this);
    this.tell();
    return true;
  }

  handleEvent(): void {
    this.log.forget(this);
    this.error = new InterruptedFileError();
    this.tell();
  }

  whenSettled(waiting: Settled<Uint8Array>): void {
    this.waiting = waiting;
    if (this.isOver) this.tell();
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise to all but those who know better
  then<R = Uint8Array, E = never>(
    onThere?: ((value: Uint8Array) => R | PromiseLike<R>) | null,
    onFailed?: ((reason: unknown) => E | PromiseLike<E>) | null,
  ): Promise<R | E> {
    return new Promise<Uint8Array>((there, failed) => this.whenSettled({ there, failed })).then(onThere, onFailed);
  }

  private tell(): void {
    if (this.value !== undefined) this.waiting?.there(this.value);
    else this.waiting?.failed(this.error);
  }
}
