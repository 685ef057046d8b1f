import type { RemoteFile } from './remote-file.js';

/** Reads a file from offset 0 to its end, piece by piece as the server gives it. `first`: the first read, if it is under way already. */
export async function* chunksOf(
  file: RemoteFile,
  signal?: AbortSignal,
  first: Promise<Uint8Array> = file.read(0, file.iounit, signal),
): AsyncGenerator<Uint8Array, void, undefined> {
  let chunk = await first;
  for (let offset = chunk.length; chunk.length > 0; offset += chunk.length) {
    yield chunk;
    chunk = await file.read(offset, file.iounit, signal);
  }
}
