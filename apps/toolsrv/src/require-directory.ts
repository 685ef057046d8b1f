import { accessSync, constants, statSync } from 'node:fs';
import { ConfigError, errnoOf } from '#config';

/** The same path when calls can run there, else a ConfigError that names `option` and says why not. */
export function requireDirectory(option: string, path: string): string {
  const problem = problemWith(path);
  if (problem !== undefined) throw new ConfigError(`${option}: ${problem}: ${path}`);
  return path;
}

function problemWith(path: string): string | undefined {
  try {
    if (!statSync(path).isDirectory()) return 'not a directory';
    accessSync(path, constants.X_OK);
    return undefined;
  } catch (error) {
    const errno = errnoOf(error);
    if (errno === undefined) throw error;
    return errno === 'EACCES' ? 'permission denied' : 'no such directory';
  }
}
