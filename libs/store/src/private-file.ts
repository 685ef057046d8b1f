import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errnoOf } from '#config';

/** Makes a directory that only its owner may enter; one that is there stays as it is. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Puts `content` in the place of a file: whoever opens it finds all of the old or all of the new. `isSynced`:
 * it also outlives a loss of power. Throws as the file system does, with the old content in place.
 */
export function replaceFile(path: string, content: string | Uint8Array, isSynced: boolean): void {
  const temporary = `${path}.tmp`;
  try {
    writeNew(temporary, content, isSynced);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  if (isSynced) syncDirectory(dirname(path));
}

/** The text of a file; undefined when it is not there. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function writeNew(path: string, content: string | Uint8Array, isSynced: boolean): void {
  const fd = openSync(path, 'w', 0o600);
  try {
    writeFileSync(fd, content);
    if (isSynced) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
