import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureOwnDirectory, namespaceDirectory, type Address } from '#ninep';
import { CommandError } from './errors.js';

/**
 * The socket of the user's server: `ollie` in $NAMESPACE, else in the directory that is computed without it.
 * Throws when there is no such socket, or when its directory is not the user's own and private: anybody might answer there.
 */
export function defaultAddress(env: Readonly<Record<string, string | undefined>>): Address {
  const directories = [namespaceDirectory(env), namespaceDirectory({ ...env, NAMESPACE: undefined })];
  const directory = directories.find((candidate) => existsSync(join(candidate, 'ollie')));
  if (directory === undefined)
    throw new CommandError(`no server at unix!${join(String(directories[0]), 'ollie')}; start one: olliesrv serve`);
  ensureOwnDirectory(directory);
  return { type: 'unix', path: join(directory, 'ollie') };
}
