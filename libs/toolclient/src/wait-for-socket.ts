import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errnoOf } from '#config';

const RETRY_MS = 15;
const NOT_LISTENING: readonly unknown[] = ['ENOENT', 'ECONNREFUSED'];

/** Resolves once something accepts connections at `path`; rejects with the signal's reason. */
export async function waitForSocket(path: string, signal: AbortSignal): Promise<void> {
  while (!(await accepts(path, signal))) await sleep(RETRY_MS, undefined, { signal });
}

async function accepts(path: string, signal: AbortSignal): Promise<boolean> {
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal });
    return true;
  } catch (error) {
    if (NOT_LISTENING.includes(errnoOf(error))) return false;
    throw error;
  } finally {
    socket.destroy();
  }
}
