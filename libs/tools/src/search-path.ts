import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { errnoOf } from '#config';

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** What npm puts in front of PATH for its own scripts, and what a program must never be found in by accident. */
const NPM_DIRECTORY = /\/(node_modules\/\.bin|node-gyp-bin)\/?$/;

/** PATH as tools see it: absolute, each directory once, nothing that npm has put there for our own start. */
export function programSearchPath(path: string | undefined): string {
  const wanted = (path ?? '').split(delimiter).filter((entry) => isAbsolute(entry) && !NPM_DIRECTORY.test(entry));
  return wanted.length === 0 ? SYSTEM_PATH : [...new Set(wanted)].join(delimiter);
}

/** The file that a program name stands for; undefined when there is none. A name with a slash stands for itself. */
export function findProgram(name: string, searchPath: string): string | undefined {
  if (name.includes('/')) return isExecutableFile(name) ? name : undefined;
  return searchPath
    .split(delimiter)
    .map((directory) => join(directory, name))
    .find(isExecutableFile);
}

/** True for a regular file that this process may execute; false for everything else, missing files included. */
export function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}
