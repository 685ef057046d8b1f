import { Struct } from './struct.js';

/** Requests of FUSE 7 by their number (linux/fuse.h). What is missing here is answered ENOSYS. */
export const opcode = {
  lookup: 1,
  forget: 2,
  getattr: 3,
  setattr: 4,
  readlink: 5,
  symlink: 6,
  mknod: 8,
  mkdir: 9,
  unlink: 10,
  rmdir: 11,
  rename: 12,
  link: 13,
  open: 14,
  read: 15,
  write: 16,
  statfs: 17,
  release: 18,
  fsync: 20,
  flush: 25,
  init: 26,
  opendir: 27,
  readdir: 28,
  releasedir: 29,
  fsyncdir: 30,
  access: 34,
  create: 35,
  interrupt: 36,
  destroy: 38,
  ioctl: 39,
  batchForget: 42,
  rename2: 45,
  tmpfile: 51,
} as const;

export const MAJOR = 7;
/** The newest minor version whose structures are those of this file. */
export const MINOR = 38;
export const ROOT_NODE = 1;

/** The longest read and write: one message of 9P takes it, so that none comes back shorter than the file is. */
export const MAX_WRITE = 1 << 19;
const PAGE = 4096;
export const MAX_PAGES = MAX_WRITE / PAGE;

/** What we ask of the kernel at INIT, as far as it offers it. */
export const initFlag = {
  atomicTruncate: 1 << 3,
  bigWrites: 1 << 5,
  parallelDirOps: 1 << 18,
  maxPages: 1 << 22,
} as const;

/** How an open file behaves: past the page cache, without a position, without FLUSH. */
export const openFlag = { directIo: 1 << 0, stream: 1 << 4, noFlush: 1 << 5 } as const;

/** Which fields of SETATTR count. */
export const setattrField = { mode: 1, uid: 2, gid: 4, size: 8, atime: 16, mtime: 32, atimeNow: 128, mtimeNow: 256 } as const;

export const inHeader = new Struct({
  len: 'u32',
  opcode: 'u32',
  unique: 'u64',
  nodeid: 'u64',
  uid: 'u32',
  gid: 'u32',
  pid: 'u32',
  extensions: 'u16',
  padding: 'u16',
});

export const initIn = new Struct({ major: 'u32', minor: 'u32', maxReadahead: 'u32', flags: 'u32' });
export const initOut = new Struct({
  major: 'u32',
  minor: 'u32',
  maxReadahead: 'u32',
  flags: 'u32',
  maxBackground: 'u16',
  congestionThreshold: 'u16',
  maxWrite: 'u32',
  timeGran: 'u32',
  maxPages: 'u16',
  mapAlignment: 'u16',
  flags2: 'u32',
  unused1: 'u32',
  unused2: 'u64',
  unused3: 'u64',
  unused4: 'u64',
});

export const attrOut = new Struct({
  attrValid: 'u64',
  attrValidNsec: 'u32',
  dummy: 'u32',
  ino: 'u64',
  size: 'u64',
  blocks: 'u64',
  atime: 'u64',
  mtime: 'u64',
  ctime: 'u64',
  atimeNsec: 'u32',
  mtimeNsec: 'u32',
  ctimeNsec: 'u32',
  mode: 'u32',
  nlink: 'u32',
  uid: 'u32',
  gid: 'u32',
  rdev: 'u32',
  blksize: 'u32',
  flags: 'u32',
});
/** What stands before the attributes in an answer to LOOKUP; they are those of `attrOut` from `ino` on. */
export const entryHead = new Struct({
  nodeid: 'u64',
  generation: 'u64',
  entryValid: 'u64',
  attrValid: 'u64',
  entryValidNsec: 'u32',
  attrValidNsec: 'u32',
});

export const forgetIn = new Struct({ nlookup: 'u64' });
export const batchForgetIn = new Struct({ count: 'u32', dummy: 'u32' });
export const forgetOne = new Struct({ nodeid: 'u64', nlookup: 'u64' });
export const setattrIn = new Struct({
  valid: 'u32',
  padding: 'u32',
  fh: 'u64',
  size: 'u64',
  lockOwner: 'u64',
  atime: 'u64',
  mtime: 'u64',
  ctime: 'u64',
  atimeNsec: 'u32',
  mtimeNsec: 'u32',
  ctimeNsec: 'u32',
  mode: 'u32',
  unused4: 'u32',
  uid: 'u32',
  gid: 'u32',
  unused5: 'u32',
});
export const renameIn = new Struct({ newdir: 'u64' });
export const rename2In = new Struct({ newdir: 'u64', flags: 'u32', padding: 'u32' });
export const openIn = new Struct({ flags: 'u32', openFlags: 'u32' });
export const openOut = new Struct({ fh: 'u64', openFlags: 'u32', padding: 'u32' });
/** RELEASE, FLUSH and FSYNC begin alike. */
export const handleIn = new Struct({ fh: 'u64' });
/** READ, READDIR and WRITE begin alike. */
export const ioIn = new Struct({
  fh: 'u64',
  offset: 'u64',
  size: 'u32',
  ioFlags: 'u32',
  lockOwner: 'u64',
  flags: 'u32',
  padding: 'u32',
});
export const writeOut = new Struct({ size: 'u32', padding: 'u32' });
export const statfsOut = new Struct({
  blocks: 'u64',
  bfree: 'u64',
  bavail: 'u64',
  files: 'u64',
  ffree: 'u64',
  bsize: 'u32',
  namelen: 'u32',
  frsize: 'u32',
  padding: 'u32',
  spare1: 'u64',
  spare2: 'u64',
  spare3: 'u64',
});
export const accessIn = new Struct({ mask: 'u32', padding: 'u32' });
export const interruptIn = new Struct({ unique: 'u64' });
export const direntHead = new Struct({ ino: 'u64', off: 'u64', namelen: 'u32', type: 'u32' });
