import { chunksOf, type RemoteFile } from '#ninep';
import type { Output } from './world.js';

/** Passes a file's bytes on as they come, from offset 0 to its end. */
export async function copyOut(file: RemoteFile, output: Output, signal: AbortSignal): Promise<void> {
  for await (const bytes of chunksOf(file, signal)) await output.write(bytes);
}

/** Passes input on as it comes, from offset 0; what has come is sent once the input pauses. */
export async function copyIn(file: RemoteFile, input: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  let offset = 0;
  for await (const bytes of input) {
    await file.write(offset, bytes, signal);
    offset += bytes.length;
  }
}
