import { accessSync, constants, readFileSync } from 'node:fs';
import { errnoOf } from '#config';

function mayMount(): boolean {
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return process.getuid?.() === 0;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

/** `describe` where root may mount; elsewhere its skipping twin. */
export const describeMount = mayMount() ? describe : describe.skip;

/** Whether anything is mounted there; asks nothing of the mount itself. */
export function isMounted(directory: string): boolean {
  return readFileSync('/proc/self/mountinfo', 'utf8').includes(` ${directory} `);
}

/** One of the two processes of a helper goes with the other. */
export function signalIfThere(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errnoOf(error) !== 'ESRCH') throw error;
  }
}
