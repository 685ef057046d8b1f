import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errnoOf } from '#config';

/** Makes a directory that only its owner may enter; one that is there stays as it is. */
export function makePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Puts `content` in the place of a file: whoever opens it finds all of the old or all of the new. `isSynced`: after a
 * loss of power too; that it is the new one is for `syncDirectory`. Throws as the file system does, with the old content in place.
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

/** What was put in place in a directory outlives a loss of power when this returns. Throws as the file system does. */
export function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
