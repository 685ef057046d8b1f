import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { abortable } from '#model';
import { CallRefusedError } from './errors.js';
import type { ForeignMounts } from './foreign-mounts.js';

/** How long a path may take before a call that needs it is refused. */
const ANSWER_MS = 5_000;

/** `who`: says before a path what is to do with it. */
export interface Need {
  readonly signal: AbortSignal;
  readonly who: string;
}

/** Resolves when each of these absolute paths can be looked at. Throws CallRefusedError for one whose mount does not answer, and the reason of an abort. */
export async function refuseSilent(paths: readonly string[], mounts: ForeignMounts, need: Need): Promise<void> {
  const silent = await silenceOf(paths, mounts, need);
  if (silent !== undefined) throw new CallRefusedError(`execution failed: ${silent}`);
}

/**
 * That a mount on the way to one of these absolute paths does not answer, in words; undefined: all do. Rejects with the reason of an abort. Another process asks:
 * whoever asks is held until there is an answer, and a thread of this one would keep it from its end.
 */
export async function silenceOf(paths: readonly string[], mounts: ForeignMounts, { signal, who }: Need): Promise<string | undefined> {
  for (const path of paths) {
    const mount = mounts.firstOnTheWayTo(path);
    if (mount === undefined || (await answers(path, signal))) continue;
    signal.throwIfAborted();
    return `${mount} does not answer, and ${who} ${path}`;
  }
  return undefined;
}

/** That nothing is there is an answer. A process that was sent to ask may be there for good: no signal ends some waits. */
async function answers(path: string, signal: AbortSignal): Promise<boolean> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
  const child = spawn('/bin/sh', ['-c', 'test -e "$1"', 'sh', path], { env: {}, cwd: '/', stdio: 'ignore' });
  try {
    await abortable(once(child, 'exit'), late);
    return true;
  } catch (error) {
    if (!late.aborted) throw error;
    child.kill('SIGKILL');
    child.unref();
    return false;
  }
}
