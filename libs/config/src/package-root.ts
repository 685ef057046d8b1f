import { readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from './errno.js';
import { parsePackageField } from './parse-package-field.js';

/**
 * The directory of this installation: the nearest package.json named "ollie" above the running script,
 * which holds for bundles, for `nest start` and inside jest. Without one: above the current directory, else that directory.
 */
export function packageRoot(script: string | undefined = process.argv[1], cwd: string = process.cwd()): string {
  return (script === undefined ? undefined : rootAbove(dirname(followLinks(script)))) ?? rootAbove(cwd) ?? cwd;
}

function rootAbove(start: string): string | undefined {
  for (let directory = start; ; directory = dirname(directory)) {
    if (nameOf(join(directory, 'package.json')) === 'ollie') return directory;
    if (directory === dirname(directory)) return undefined;
  }
}

function nameOf(file: string): string | undefined {
  return unlessMissing(() => parsePackageField(readFileSync(file, 'utf8'), 'name'));
}

/** npm links commands from elsewhere; the installation is where the file really is. */
function followLinks(script: string): string {
  return unlessMissing(() => realpathSync(script)) ?? script;
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (errnoOf(error) !== undefined) return undefined;
    throw error;
  }
}
