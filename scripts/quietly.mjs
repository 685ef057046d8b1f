import { spawnSync } from 'node:child_process';

/** Runs a program to its end and shows what it said only if it failed. Gives what spawnSync gives. */
export function quietly(program, args, cwd) {
  const result = spawnSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: Infinity });
  if (result.status !== 0) for (const words of [result.stdout, result.stderr]) process.stderr.write(words ?? '');
  return result;
}
