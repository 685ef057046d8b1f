import { interruptible, isPromise } from './awaitable.js';
import type { Awaitable, Waiter } from './types.js';

/**
 * Content that a read at offset 0 loads and later offsets are served from. Reads that overlap a load in
 * progress wait for it and share its failure; after a failure nothing is loaded.
 */
export class Snapshot {
  private content: Awaitable<Uint8Array> | undefined;

  constructor(private readonly load: (waiter: Waiter) => Awaitable<Uint8Array>) {}

  get isLoaded(): boolean {
    return this.content !== undefined;
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    const content = offset === 0 || this.content === undefined ? this.reload(waiter) : this.content;
    return isPromise(content) ? content.then((bytes) => part(bytes, offset, count)) : part(content, offset, count);
  }

  private reload(waiter: Waiter): Awaitable<Uint8Array> {
    this.content = undefined;
    const loaded = this.load(waiter);
    this.content = isPromise(loaded) ? this.settle(loaded, waiter) : loaded;
    return this.content;
  }

  private settle(loaded: Promise<Uint8Array>, waiter: Waiter): Promise<Uint8Array> {
    void Promise.allSettled([loaded]); // a failure is told below, except to a reader that had given up before
    const loading = interruptible(() => loaded, waiter.signal);
    const settled: Promise<Uint8Array> = loading.then(
      (bytes) => this.put(settled, bytes),
      (error: unknown) => {
        this.put(settled, undefined);
        throw error;
      },
    );
    return settled;
  }

  /** A load that a newer one has overtaken changes nothing. */
  private put<T extends Uint8Array | undefined>(from: Promise<Uint8Array>, content: T): T {
    if (this.content === from) this.content = content;
    return content;
  }
}

/** A view, made only where it is needed. */
function part(bytes: Uint8Array, offset: number, count: number): Uint8Array {
  return offset === 0 && bytes.length <= count ? bytes : bytes.subarray(offset, offset + count);
}
