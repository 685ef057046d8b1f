import type { RemoteFile } from './remote-file.js';

/** Reads a file from offset 0 to its end, piece by piece as the server gives it. */
export async function* chunksOf(file: RemoteFile, signal?: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; ;) {
    const chunk = await file.read(offset, file.iounit, signal);
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}
