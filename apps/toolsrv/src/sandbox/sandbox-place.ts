import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { ensureEnvironment, expandTilde, Paths, type Environment } from '#config';
import { PrivateTmp } from '#exec';
import { UsageError } from '#lifecycle';
import { namespaceDirectory } from '#ninep';
import { loadPolicy, USUAL, type ExplainedPolicy, type PolicyChoice } from '#sandbox';
import { requireDirectory } from '../require-directory.js';
import type { ServerWorld } from '../server-world.js';

/** Which policy is meant, and for which directory. */
export interface PolicyFlags {
  readonly cwd?: string;
  readonly policy?: string;
  readonly name?: string;
}

/** Where a policy holds: absolute directory, complete environment. */
export interface SandboxPlace {
  readonly env: Environment;
  readonly paths: Paths;
  readonly cwd: string;
  /** Private, for this command line alone. */
  readonly tmp: string;
  readonly policy: ExplainedPolicy;
}

/** Loads the policy, and calls `use` with a temporary directory that is removed afterwards. */
export async function inSandboxPlace<T>(world: ServerWorld, flags: PolicyFlags, use: (place: SandboxPlace) => T | Promise<T>): Promise<T> {
  const env = sandboxEnvironment(world.env);
  const paths = Paths.from(env);
  const cwd = requireDirectory('--cwd', resolve(world.cwd, expandTilde(flags.cwd ?? '.', paths.home)));
  const choice = choiceOf(flags, (file) => resolve(world.cwd, expandTilde(file, paths.home)));
  const directories = new PrivateTmp(env['OLLIE_TMP_PATH'] ?? tmpdir());
  try {
    const tmp = directories.directoryFor('');
    return await use({ env, paths, cwd, tmp, policy: loadPolicy(paths, { ...env, CWD: cwd, TMPDIR: tmp }, choice) });
  } finally {
    directories.remove();
  }
}

/** The environment that policies are made in: every OLLIE_* path, and the namespace that no tool may touch. */
export function sandboxEnvironment(env: Environment): Record<string, string> {
  return { NAMESPACE: namespaceDirectory(env), ...ensureEnvironment(env) };
}

function choiceOf({ policy, name }: PolicyFlags, absolute: (file: string) => string): PolicyChoice {
  if (policy !== undefined && name !== undefined) throw new UsageError('--policy and --name exclude each other');
  if (policy !== undefined) return { type: 'file', file: absolute(policy) };
  return name === undefined ? USUAL : { type: 'usual', name };
}
