import { ioError } from './errors.js';
import { IO_OVERHEAD } from './fcall.js';
import { QTDIR } from './file-server.js';
import type { Link } from './link.js';

/** An open fid. An abort sends Tflush and then Tclunk, and rejects with the signal's reason. */
export class RemoteFile {
  /** The most bytes of one Tread or Twrite. */
  readonly iounit: number;
  #clunked: Promise<void> | undefined;

  /** True: reads give directory entries, not text. */
  readonly isDirectory: boolean;

  /** `qidType` and `iounit` as the server told them; an iounit of 0 leaves it to the message size. */
  constructor(
    private readonly link: Link,
    readonly fid: number,
    { qidType, iounit }: { readonly qidType: number; readonly iounit: number },
  ) {
    this.isDirectory = (qidType & QTDIR) !== 0;
    const most = link.msize - IO_OVERHEAD;
    this.iounit = iounit === 0 ? most : Math.min(iounit, most);
  }

  /** At most `count` bytes and at most `iounit`; empty at the end of the file. Reads may overlap. */
  async read(offset: number, count: number, signal?: AbortSignal): Promise<Uint8Array> {
    const asked = Math.min(count, this.iounit);
    const { fid } = this;
    const call = this.link.call((tag) => ({ type: 'Tread', tag, fid, offset, count: asked }), 'Rread', signal);
    const { data } = await this.#orAbandon(call, signal);
    if (data.length > asked) throw this.link.fail(ioError(`bad reply: ${data.length} bytes to a read of ${asked}`));
    return data;
  }

  /** Splits to `iounit`, one Twrite after the other; resolves when all is taken. No data, no Twrite. */
  async write(offset: number, data: Uint8Array, signal?: AbortSignal): Promise<void> {
    for (let done = 0; done < data.length;) {
      done += await this.#writeSome(offset + done, data.subarray(done, done + this.iounit), signal);
    }
  }

  /** Lets go of the file; after an abort, when the flush is answered. The error is the server's. Further calls give the same promise. */
  clunk(): Promise<void> {
    this.#clunked ??= this.link.clunk(this.fid);
    return this.#clunked;
  }

  async #writeSome(offset: number, data: Uint8Array, signal: AbortSignal | undefined): Promise<number> {
    const { fid } = this;
    const call = this.link.call((tag) => ({ type: 'Twrite', tag, fid, offset, data }), 'Rwrite', signal);
    const { count } = await this.#orAbandon(call, signal);
    if (count === 0 || count > data.length) throw this.link.fail(ioError(`bad reply: ${count} bytes taken of ${data.length}`));
    return count;
  }

  async #orAbandon<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    try {
      return await call;
    } catch (error) {
      // Whoever wants to know how the clunk ends calls clunk().
      if (signal?.aborted) void Promise.allSettled([this.clunk()]);
      throw error;
    }
  }
}
