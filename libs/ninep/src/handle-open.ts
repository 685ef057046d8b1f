import type { Awaitable } from './awaitable.js';
import { illegalArgument, isADirectory, notADirectory, permissionDenied } from './errors.js';
import { IO_OVERHEAD, type Fcall, type FcallOf } from './fcall.js';
import type { Fid } from './fids.js';
import { openMode, QTDIR, type OpenMode, type Qid } from './file-server.js';
import { checkFileName } from './names.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

const ACCESS_BITS = 3;
const KNOWN_BITS = ACCESS_BITS | openMode.truncate | openMode.removeOnClose;

export function open(session: Session, message: FcallOf<'Topen'>, request: Request): Awaitable<Fcall> {
  const { tag, mode } = message;
  const fid = session.fids.get(message.fid);
  return fid.sequence.change(async (): Promise<Fcall> => ({ type: 'Ropen', tag, ...(await openFid(session, fid, mode)) }), request);
}

/** Opens the place of a fid, within a change of the fid. */
export async function openFid(session: Session, fid: Fid, mode: OpenMode): Promise<{ readonly qid: Qid; readonly iounit: number }> {
  const node = fid.unopened;
  const isDirectory = (node.qid.type & QTDIR) !== 0;
  checkMode(mode, isDirectory);
  const file = await node.open(mode);
  fid.state = { kind: 'open', node, mode, file, listing: isDirectory ? session.dialect.listing(node) : undefined };
  return { qid: node.qid, iounit: session.msize - IO_OVERHEAD };
}

function checkMode(mode: OpenMode, isDirectory: boolean): void {
  if (mode & ~KNOWN_BITS) throw illegalArgument(`open mode ${mode}`);
  if (isDirectory && (mayWrite(mode) || mode & openMode.truncate)) throw isADirectory();
}

export function mayWrite(mode: OpenMode): boolean {
  const access = mode & ACCESS_BITS;
  return access === openMode.write || access === openMode.readWrite;
}

/** Executing is reading. */
export function mayRead(mode: OpenMode): boolean {
  return (mode & ACCESS_BITS) !== openMode.write;
}

/** Trees have no files of the clients' making: a request without other faults is refused. */
export function create(session: Session, message: FcallOf<'Tcreate'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(message.fid);
  return fid.sequence.after((): Fcall => {
    checkFileName(message.name);
    if (!(fid.unopened.qid.type & QTDIR)) throw notADirectory();
    throw permissionDenied();
  }, request);
}
