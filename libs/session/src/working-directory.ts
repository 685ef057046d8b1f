import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errnoOf, expandTilde } from '#config';
import { NotFoundError } from '#model';

/** The directory that `wanted` names, seen from `base`. Throws NotFoundError when it is not there or no directory. */
export async function workingDirectory(wanted: string, base: string, home: string): Promise<string> {
  const path = resolve(base, expandTilde(wanted, home));
  if (!(await isDirectory(path))) throw new NotFoundError('directory', wanted);
  return path;
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if (errnoOf(error) !== undefined) return false; // missing, not ours to see, or below a file: all the same to the asker
    throw error;
  }
}
