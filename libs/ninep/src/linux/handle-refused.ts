import { illegalArgument, notPermitted, notSupported, permissionDenied } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import { checkFileName } from '../names.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';
import { directoryOf } from './handle-names.js';

type Making = FcallOf<'Tlcreate' | 'Tmkdir' | 'Tsymlink' | 'Tmknod' | 'Tlink'>;

/**
 * Trees have no files of the clients' making. A request without other faults is refused: files and
 * directories as by a directory that may not be written, links and devices as by a file system without them.
 */
export async function make(session: Session, message: Making, request: Request): Promise<Fcall> {
  const fid = session.fids.get('dfid' in message ? message.dfid : message.fid);
  checkFileName(message.name);
  await directoryOf(fid, request);
  const isPlain = message.type === 'Tlcreate' || message.type === 'Tmkdir';
  throw isPlain ? permissionDenied() : notPermitted();
}

/** Nothing is a symbolic link. */
export async function readlink(session: Session, message: FcallOf<'Treadlink'>, request: Request): Promise<Fcall> {
  const fid = session.fids.get(message.fid);
  await fid.sequence.after(() => fid.node, request);
  throw illegalArgument('not a symbolic link');
}

/** No file has extended attributes; a fid for them is not made. */
export async function xattr(session: Session, message: FcallOf<'Txattrwalk' | 'Txattrcreate'>, request: Request): Promise<Fcall> {
  const fid = session.fids.get(message.fid);
  await fid.sequence.after(() => fid.node, request);
  throw notSupported('extended attributes');
}
