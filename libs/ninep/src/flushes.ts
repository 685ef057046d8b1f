import type { Fcall } from './fcall.js';

/** The flushes that are not answered yet, by the fid that the flushed request was about. */
export class Flushes {
  readonly #byFid = new Map<number, Promise<unknown>>();

  /** Notes that `request` is being flushed until `flushed` settles. */
  add(request: Fcall, flushed: Promise<unknown>): void {
    const fid = fidOf(request);
    const settled: Promise<unknown> = Promise.allSettled([this.#byFid.get(fid), flushed]).then(() => {
      if (this.#byFid.get(fid) === settled) this.#byFid.delete(fid);
    });
    this.#byFid.set(fid, settled);
  }

  /** Settles when none is left for `fid`; undefined when there is none. */
  of(fid: number): Promise<unknown> | undefined {
    return this.#byFid.get(fid);
  }
}

const NO_FID = -1;

/** The fid that a request makes or uses. */
function fidOf(request: Fcall): number {
  if ('newfid' in request) return request.newfid;
  if ('fid' in request) return request.fid;
  return 'afid' in request ? request.afid : NO_FID;
}
