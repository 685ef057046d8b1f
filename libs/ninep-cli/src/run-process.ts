import { constants, userInfo } from 'node:os';
import { clientTag } from '#ninep';
import { standardInput } from './standard-input.js';
import { streamOutput } from './stream-output.js';
import type { World } from './world.js';

type Environment = World['env'];

/** Runs `command` as this process: its exit code becomes the process's, and a signal aborts it first (128 + its number). */
export async function runProcess(env: Environment, command: (world: World, signal: AbortSignal) => Promise<number>): Promise<never> {
  const abort = new AbortController();
  let code: number | undefined;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      code = 128 + constants.signals[signal];
      abort.abort(new Error(`ended by ${signal}`));
    });
  }
  const world = worldOfProcess(env);
  const ended = await command(world, abort.signal).catch((error: unknown) => {
    if (!abort.signal.aborted) throw error;
    return code ?? 1;
  });
  process.exit(ended); // standard input may be open for ever
}

function worldOfProcess(env: Environment): World {
  return {
    env,
    uname: userInfo().username,
    clientTag: clientTag('self'),
    stdin: standardInput,
    stdout: streamOutput('standard output', process.stdout),
    stderr: streamOutput('standard error', process.stderr),
  };
}
