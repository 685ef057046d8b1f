import { type Client, NinepError } from '#ninep';
import { parseStatLines } from './parse-process-list.js';

/** What `proc/{pid}/stat` says; undefined for a process that is gone by now. Rejects as the client does. */
export async function processStat(client: Client, pid: number, signal: AbortSignal): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return parseStatLines(Buffer.from(await client.readAll(`proc/${pid}/stat`, signal)).toString('utf8'));
  } catch (error) {
    if (error instanceof NinepError && error.posix === 'ENOENT') return undefined;
    throw error;
  }
}
