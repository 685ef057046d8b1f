import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf, Paths } from '#config';
import { ensureOwnDirectory, namespaceDirectory, type Address } from '#ninep';
import { CommandError } from './errors.js';
import { parseLock } from './parse-lock.js';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The socket of the user's server: `ollie` in $NAMESPACE, else in the directory that is computed without it, else where the owner of
 * the user's store says that it listens. Throws when there is no such socket, or when its directory is not the user's
 * own and private: anybody might answer there.
 */
export function defaultAddress(env: Environment): Address {
  const computed = [namespaceDirectory(env), namespaceDirectory({ ...env, NAMESPACE: undefined })].map((path) => join(path, 'ollie'));
  const path = computed.find((candidate) => existsSync(candidate)) ?? addressInLock(env);
  if (path === undefined) throw new CommandError(`no server at unix!${String(computed[0])}; start one: olliesrv serve`);
  ensureOwnDirectory(dirname(path));
  return { type: 'unix', path };
}

function addressInLock(env: Environment): string | undefined {
  const path = parseLock(textOf(join(Paths.from(env).data, 'lock')))?.slice('unix!'.length);
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Empty when it cannot be read: then nobody has said where he listens. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return '';
  }
}
