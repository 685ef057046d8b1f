import { DMDIR, type Stat } from '#ninep';
import { attrOut, entryHead } from './protocol.js';

const DIRECTORY = 0o040000;
const REGULAR = 0o100000;
const PERMISSIONS = 0o777;
const BLOCK = 512;
const PREFERRED_READ = 65536;
const VALIDITY_BYTES = 16;

/** Whom the files of a mount belong to; names of a server's users say nothing here. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** `st_ino`: the qid path, but for 0, by which programs know entries that are gone. */
export function inodeNumber(path: number): number {
  return path === 0 ? Number.MAX_SAFE_INTEGER : path;
}

export function isDirectory({ mode }: Pick<Stat, 'mode'>): boolean {
  return (mode & DMDIR) !== 0;
}

/** `st_mode`: type and permissions. */
export function modeOf(stat: Pick<Stat, 'mode'>): number {
  return (isDirectory(stat) ? DIRECTORY : REGULAR) | (stat.mode & PERMISSIONS);
}

/** The answer to GETATTR. Nothing may be kept: the next look asks again. */
export function attributes(stat: Stat, owner: Owner): Buffer {
  const size = isDirectory(stat) ? 0 : stat.length;
  return attrOut.encode({
    ino: inodeNumber(stat.qid.path),
    size,
    blocks: Math.ceil(size / BLOCK),
    atime: stat.atime,
    mtime: stat.mtime,
    ctime: stat.mtime,
    mode: modeOf(stat),
    nlink: 1,
    uid: owner.uid,
    gid: owner.gid,
    blksize: PREFERRED_READ,
  });
}

/** How long a name may be kept that does not change, in seconds. */
const FIXED_NAME_SECONDS = 3600;

/** What LOOKUP has found. */
export interface Found {
  readonly nodeid: number;
  readonly stat: Stat;
  /** The name may be kept. */
  readonly isFixed: boolean;
}

/** The answer to LOOKUP. The attributes may not be kept. */
export function entry({ nodeid, stat, isFixed }: Found, owner: Owner): Buffer {
  const entryValid = isFixed ? FIXED_NAME_SECONDS : 0;
  return Buffer.concat([entryHead.encode({ nodeid, entryValid }), attributes(stat, owner).subarray(VALIDITY_BYTES)]);
}
