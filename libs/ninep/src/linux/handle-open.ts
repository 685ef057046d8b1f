import { chain, type Awaitable } from '../awaitable.js';
import { badFid, illegalArgument, notADirectory } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import { openMode, QTDIR, type OpenMode } from '../file-server.js';
import { openFid } from '../handle-open.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';

/** Flags of open(2) on the wire: those of x86-64, whatever the client runs on. */
const O_ACCMODE = 0o3;
const O_TRUNC = 0o1000;
const O_DIRECTORY = 0o200000;

/** Bytes of an Rreaddir besides its entries. */
const READDIR_OVERHEAD = 11;

/** Flags that say how to open are minded; all others (O_CREAT of a file that is there, O_APPEND, O_LARGEFILE and so on) mean nothing here. */
export function lopen(session: Session, { tag, fid: number, flags }: FcallOf<'Tlopen'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  return fid.sequence.change(async (): Promise<Fcall> => {
    if (flags & O_DIRECTORY && !(fid.unopened.qid.type & QTDIR)) throw notADirectory();
    return { type: 'Rlopen', tag, ...(await openFid(session, fid, modeOf(flags))) };
  }, request);
}

function modeOf(flags: number): OpenMode {
  const access = flags & O_ACCMODE;
  if (access === O_ACCMODE) throw illegalArgument(`open flags ${flags}`);
  return flags & O_TRUNC ? access | openMode.truncate : access;
}

export function readdir(session: Session, message: FcallOf<'Treaddir'>, request: Request): Awaitable<Fcall> {
  const { tag, offset } = message;
  const fid = session.fids.get(message.fid);
  const count = Math.min(message.count, session.msize - READDIR_OVERHEAD);
  const entries = fid.sequence.after(() => {
    if (fid.state.kind !== 'open') throw badFid('not open');
    if (fid.state.listing === undefined) throw notADirectory();
    return fid.state.listing.read(offset, count);
  }, request);
  return chain(entries, (data): Fcall => ({ type: 'Rreaddir', tag, data }));
}
