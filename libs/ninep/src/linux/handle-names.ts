import { crossesDirectories, isADirectory, noSuchFile, notADirectory } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import type { Fid } from '../fids.js';
import { QTDIR, type ServedNode } from '../file-server.js';
import { checkFileName } from '../names.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';

const AT_REMOVEDIR = 0x200;

/** A new name within the directory where the file is. */
export async function rename(session: Session, { tag, fid: number, dfid, name }: FcallOf<'Trename'>, request: Request): Promise<Fcall> {
  const [fid, parent] = [session.fids.get(number), session.fids.get(dfid)];
  checkFileName(name);
  // Waited for from now on, as the fid is: within its change, a fid could wait for itself, or two for each other.
  const directory = directoryOf(parent, request);
  const renaming = fid.sequence.change(async (): Promise<Fcall> => {
    const siblings = await (await directory).list();
    if (!siblings.some(({ qid }) => qid.path === fid.node.qid.path)) throw crossesDirectories();
    await renameTo(fid.node, name, request);
    return { type: 'Rrename', tag };
  }, request);
  const [, reply] = await Promise.all([directory, renaming]);
  return reply;
}

/** Fids of directories may be open. */
export async function renameat(session: Session, message: FcallOf<'Trenameat'>, request: Request): Promise<Fcall> {
  const { tag, fromFid, from, toFid, to } = message;
  const fids = [session.fids.get(fromFid), session.fids.get(toFid)] as const;
  checkFileName(from);
  checkFileName(to);
  // Both are looked at now: what is sent behind this may give them up.
  const [source, target] = await Promise.all([directoryOf(fids[0], request), directoryOf(fids[1], request)]);
  const node = await childOf(source, from);
  if (source.qid.path !== target.qid.path) throw crossesDirectories();
  if (from !== to) await renameTo(node, to, request);
  return { type: 'Rrenameat', tag };
}

export async function unlinkat(session: Session, message: FcallOf<'Tunlinkat'>, request: Request): Promise<Fcall> {
  const { tag, dfid, name, flags } = message;
  const fid = session.fids.get(dfid);
  checkFileName(name);
  const node = await childOf(await directoryOf(fid, request), name);
  const [isDirectory, wantsDirectory] = [(node.qid.type & QTDIR) !== 0, (flags & AT_REMOVEDIR) !== 0];
  if (isDirectory && !wantsDirectory) throw isADirectory();
  if (!isDirectory && wantsDirectory) throw notADirectory();
  await node.remove(request.signal);
  return { type: 'Runlinkat', tag };
}

/** The directory that a fid stands for, after the changes of the fid that came before. */
export async function directoryOf(fid: Fid, request: Request): Promise<ServedNode> {
  const node = await fid.sequence.after(() => fid.node, request);
  if (!(node.qid.type & QTDIR)) throw notADirectory();
  return node;
}

async function childOf(directory: ServedNode, name: string): Promise<ServedNode> {
  const node = await directory.walk(name);
  if (node === undefined) throw noSuchFile();
  return node;
}

async function renameTo(node: ServedNode, name: string, request: Request): Promise<void> {
  const current = await node.stat();
  if (current.name !== name) await node.wstat({ name }, request.signal);
}
