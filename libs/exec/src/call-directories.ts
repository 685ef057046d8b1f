import { stat } from 'node:fs/promises';
import { errnoOf } from '#config';
import { abortable } from '#model';
import { CallRefusedError } from './errors.js';
import { ForeignMounts } from './foreign-mounts.js';
import { refuseSilent } from './silent-mounts.js';

const MOST_KNOWN = 256;

/**
 * Working directories of calls. One that was there is not looked at again before each call, since the start of a call in one
 * that has gone fails by itself. A directory on a mount that does not answer holds up its own call and no other.
 */
export class CallDirectories {
  private readonly known = new Set<string>();

  /** Throws CallRefusedError for what was never seen to be a directory, and the reason of an aborted signal. */
  async require(path: string, signal: AbortSignal): Promise<void> {
    if (!this.known.has(path)) await this.requireNow(path, signal);
  }

  /** The same by what is there now. */
  async requireNow(path: string, signal: AbortSignal): Promise<void> {
    this.known.delete(path);
    await refuseSilent([path], ForeignMounts.all(), { signal, who: 'the call is to run in' });
    const wrong = await abortable(wrongWith(path), signal);
    if (wrong !== undefined) throw new CallRefusedError(wrong);
    if (this.known.size >= MOST_KNOWN) this.known.clear();
    this.known.add(path);
  }
}

async function wrongWith(path: string): Promise<string | undefined> {
  try {
    return (await stat(path)).isDirectory() ? undefined : `no such directory: ${path}`;
  } catch (error) {
    const code = errnoOf(error);
    if (code === undefined) throw error;
    return code === 'EACCES' ? `permission denied: ${path} cannot be entered` : `no such directory: ${path}`;
  }
}
