import { after, interruptible, isPromise } from './awaitable.js';
import { InterruptedFileError } from './errors.js';
import type { Awaitable } from './types.js';

/**
 * Content that a read at offset 0 loads and later offsets are served from. Reads that overlap a load in
 * progress wait for it and share its failure; after a failure nothing is loaded.
 */
export class Snapshot {
  private content: Awaitable<Uint8Array> | undefined;

  constructor(private readonly load: (signal: AbortSignal) => Awaitable<Uint8Array>) {}

  get isLoaded(): boolean {
    return this.content !== undefined;
  }

  read(offset: number, count: number, signal: AbortSignal): Awaitable<Uint8Array> {
    const content = offset === 0 || this.content === undefined ? this.reload(signal) : this.content;
    return after(content, (bytes) => bytes.subarray(offset, offset + count));
  }

  private reload(signal: AbortSignal): Awaitable<Uint8Array> {
    this.content = undefined;
    if (signal.aborted) throw new InterruptedFileError();
    const loaded = this.load(signal);
    this.content = isPromise(loaded) ? this.settle(interruptible(() => loaded, signal)) : loaded;
    return this.content;
  }

  private settle(loading: Promise<Uint8Array>): Promise<Uint8Array> {
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
