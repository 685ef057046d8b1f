import { messageOf } from '#config';
import { isOutputFailure, UsageError } from './errors.js';
import type { World } from './world.js';

const FAILED = 1;
const MISUSED = 2;

/** Says what went wrong in one line and gives the exit code. `command` is what `--help` of says more about a wrong command line. */
export async function report(command: string, error: unknown, { stderr }: Pick<World, 'stderr'>): Promise<number> {
  const [program = ''] = command.split(' ');
  const isMisuse = error instanceof UsageError;
  try {
    await stderr.write(`${program}: ${messageOf(error)}${isMisuse ? `; see ${command} --help` : ''}\n`);
  } catch (failure) {
    if (!isOutputFailure(failure)) throw failure; // else only the exit code is left to tell it
  }
  return isMisuse ? MISUSED : FAILED;
}
