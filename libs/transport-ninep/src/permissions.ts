import { openMode, type OpenMode } from '#ninep';
import { FileDeniedError, permits, type Access } from '#virtfs';

/**
 * What an open mode asks for, once the mode bits grant it. Everybody who attached is in group `agent`.
 * Throws FileDeniedError, also for execution and for removal at the close, which no file here offers.
 */
export function grantedAccess(mode: OpenMode, bits: number): Access {
  const access = accessOf(mode);
  if (!access || !permits(bits, access)) throw new FileDeniedError();
  return access;
}

function accessOf(mode: OpenMode): Access | undefined {
  const way = mode & 3;
  if (way === openMode.execute || (mode & openMode.removeOnClose) !== 0) return undefined;
  return {
    read: way !== openMode.write,
    write: way !== openMode.read,
    truncate: (mode & openMode.truncate) !== 0,
  };
}
