const MAX_BATCH_BYTES = 1 << 20;
const SILENCE = Symbol('silence');

/**
 * The bytes of `source`, gathered until it is silent for `silenceMs` (undefined: for ever), has grown to a megabyte, or ends. Never an empty batch.
 * An abort ends the wait with the signal's reason; the source is then left as it is.
 */
export async function* batches(
  source: AsyncIterable<Uint8Array>,
  silenceMs: number | undefined,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  let pieces: Uint8Array[] = [];
  for (let next = iterator.next(); ;) {
    const result = await firstOf(next, pieces.length > 0 ? silenceMs : undefined, signal);
    if (result !== SILENCE && result.done !== true) {
      pieces.push(result.value);
      next = iterator.next();
      if (sizeOf(pieces) < MAX_BATCH_BYTES) continue;
    }
    const batch = Buffer.concat(pieces);
    pieces = [];
    if (batch.length > 0) yield batch;
    if (result !== SILENCE && result.done === true) return;
  }
}

function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** What `next` gives, or SILENCE after `silenceMs` without it. Leaves no timer and no listener behind. */
function firstOf<T>(next: Promise<T>, silenceMs: number | undefined, signal: AbortSignal): Promise<T | typeof SILENCE> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = silenceMs === undefined ? undefined : setTimeout(() => settle(() => resolve(SILENCE)), silenceMs);
    const onAbort = (): void => settle(() => reject(asError(signal.reason)));
    const settle = (how: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      how();
    };
    signal.addEventListener('abort', onAbort);
    next.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(asError(error))),
    );
  });
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
