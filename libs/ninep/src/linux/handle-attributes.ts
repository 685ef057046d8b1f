import { chain, type Awaitable } from '../awaitable.js';
import { isADirectory, permissionDenied } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import { DMDIR, type Stat, type StatChange } from '../file-server.js';
import { statOf } from '../handle-stat.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';

/** What an Rgetattr can tell: all that stat(2) tells, and the version. */
const TOLD = 0x7ff | 0x2000;
const BLOCK_BYTES = 4096;
const SECTOR_BYTES = 512;
const S_IFDIR = 0o040000;
const S_IFREG = 0o100000;
const PERMISSIONS = 0o7777;
const NOBODY = { uid: 65534, gid: 65534 };

export function getattr(session: Session, { tag, fid: number, mask }: FcallOf<'Tgetattr'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  const current = fid.sequence.after(() => statOf(fid.node), request);
  return chain(current, (stat): Fcall => ({ type: 'Rgetattr', tag, valid: mask & TOLD, ...attributesOf(stat) }));
}

/** The link count of 1, also of directories, tells programs that it counts no subdirectories. */
function attributesOf({ qid, mode, length, atime, mtime, ids = NOBODY }: Stat) {
  const isDirectory = (mode & DMDIR) !== 0;
  return {
    qid,
    mode: (isDirectory ? S_IFDIR : S_IFREG) | (mode & PERMISSIONS),
    uid: ids.uid,
    gid: ids.gid,
    nlink: 1,
    rdev: 0,
    size: length,
    blksize: BLOCK_BYTES,
    blocks: Math.ceil(length / SECTOR_BYTES),
    atime,
    mtime,
    ctime: mtime,
    ...untold,
    dataVersion: qid.version,
  };
}

/** Fractions of seconds, and what no file here has. */
const untold = { atimeNs: 0, mtimeNs: 0, ctimeNs: 0, btime: 0, btimeNs: 0, gen: 0 } as const;

/** Bits of `valid` in a Tsetattr. */
const SET = { mode: 0x1, uid: 0x2, gid: 0x4, size: 0x8, atime: 0x10, mtime: 0x20, givenAtime: 0x80, givenMtime: 0x100 } as const;

type Tsetattr = FcallOf<'Tsetattr'>;

export function setattr(session: Session, message: Tsetattr, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(message.fid);
  return fid.sequence.change(async (): Promise<Fcall> => {
    const change = changeOf(message, await fid.node.stat());
    if (Object.keys(change).length > 0) await fid.node.wstat(change, request.signal);
    return { type: 'Rsetattr', tag: message.tag };
  }, request);
}

/** What is asked for and differs from what is there. */
function changeOf(asked: Tsetattr, current: Stat): StatChange {
  const has = (bit: number): boolean => (asked.valid & bit) !== 0;
  const now = Math.floor(Date.now() / 1000);
  checkIds(asked, current);
  return {
    ...(has(SET.mode) && ((asked.mode ^ current.mode) & PERMISSIONS) !== 0 ? { mode: modeOf(asked, current) } : {}),
    ...(has(SET.atime) ? { atime: has(SET.givenAtime) ? asked.atime : now } : {}),
    ...(has(SET.mtime) ? { mtime: has(SET.givenMtime) ? asked.mtime : now } : {}),
    ...(has(SET.size) ? lengthOf(asked, current) : {}),
  };
}

/** The new permissions; what kind of file it is cannot change. */
function modeOf(asked: Tsetattr, current: Stat): number {
  return ((current.mode & ~PERMISSIONS) | (asked.mode & PERMISSIONS)) >>> 0;
}

function lengthOf({ size }: Tsetattr, { mode }: Stat): StatChange {
  if (mode & DMDIR) throw isADirectory();
  return { length: size };
}

/** Nobody's file becomes somebody else's. Asking for the owner that is there passes. */
function checkIds({ valid, uid, gid }: Tsetattr, { ids = NOBODY }: Stat): void {
  const isOther = (valid & SET.uid && uid !== ids.uid) || (valid & SET.gid && gid !== ids.gid);
  if (isOther) throw permissionDenied();
}

/** What the kernel calls a 9P file system. */
const V9FS_MAGIC = 0x01021997;
const MAX_NAME_BYTES = 255;

/** Files that take no space, on a file system that has none. */
export function statfs(session: Session, { tag, fid: number }: FcallOf<'Tstatfs'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  const empty = { blocks: 0, bfree: 0, bavail: 0, files: 0, ffree: 0, fsid: 0 };
  return fid.sequence.after((): Fcall => {
    void fid.node;
    return { type: 'Rstatfs', tag, magic: V9FS_MAGIC, bsize: BLOCK_BYTES, ...empty, namelen: MAX_NAME_BYTES };
  }, request);
}
