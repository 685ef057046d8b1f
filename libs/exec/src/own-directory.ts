import { lstatSync, statSync, type Stats } from 'node:fs';
import { OllieError } from '#model';

const OTHERS_MAY_WRITE = 0o022;
const OTHERS_MAY_ANYTHING = 0o077;
const STICKY = 0o1000;

/** Something is where a directory of the user's own should be. The message names the path. */
export class ForeignDirectoryError extends OllieError {
  constructor(path: string, why: string) {
    super(`${path} is not used: ${why}`, 'EACCES');
  }
}

/** Throws ForeignDirectoryError unless it is a directory, no link to one, that only this user can use. */
export function requireOwnDirectory(path: string): void {
  const info = lstatSync(path);
  if (!info.isDirectory()) throw new ForeignDirectoryError(path, 'it is no directory');
  if (info.uid !== process.getuid?.()) throw new ForeignDirectoryError(path, `it belongs to user ${info.uid}`);
  if ((info.mode & OTHERS_MAY_ANYTHING) !== 0) throw new ForeignDirectoryError(path, 'others may use it');
}

/** Throws ForeignDirectoryError where another user could exchange what is made in it. A link is trusted as far as who made it. */
export function requireSafeParent(path: string): void {
  const target = statSync(path);
  const stranger = [lstatSync(path), target].find((info) => !isTrusted(info));
  if (stranger !== undefined)
    throw new ForeignDirectoryError(path, `it belongs to user ${stranger.uid} (OLLIE_TMP_PATH names another place)`);
  if ((target.mode & OTHERS_MAY_WRITE) !== 0 && (target.mode & STICKY) === 0)
    throw new ForeignDirectoryError(path, 'others may write there');
}

const isTrusted = ({ uid }: Stats): boolean => uid === 0 || uid === process.getuid?.();
