import { setTimeout as sleep } from 'node:timers/promises';
import { chunksOf, type RemoteFile } from '#ninep';
import type { Output } from './world.js';

/** Passes a file's bytes on as they come, from offset 0 to its end. */
export async function copyOut(file: RemoteFile, output: Output, signal: AbortSignal): Promise<void> {
  for await (const bytes of chunksOf(file, signal)) await output.write(bytes);
}

/** How long the end of a followed file is left alone before it is looked at again: 9P has no way of waiting there. */
const LOOK_AGAIN_MS = 250;

/** As copyOut, and goes on at the end with what is added. Ends by an abort, or by an error of either side. */
export async function follow(file: RemoteFile, output: Output, signal: AbortSignal): Promise<void> {
  for (let offset = 0; ;) {
    const bytes = await file.read(offset, file.iounit, signal);
    if (bytes.length === 0) await sleep(LOOK_AGAIN_MS, undefined, { signal });
    else await output.write(bytes);
    offset += bytes.length;
  }
}

/** Passes input on as it comes, from offset 0; what has come is sent once the input pauses. */
export async function copyIn(file: RemoteFile, input: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<void> {
  let offset = 0;
  for await (const bytes of input) {
    await file.write(offset, bytes, signal);
    offset += bytes.length;
  }
}
