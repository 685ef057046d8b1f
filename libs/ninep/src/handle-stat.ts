import { chain, type Awaitable } from './awaitable.js';
import { KEEP_16, KEEP_32, KEEP_64, toWire, type WireStat } from './dir.js';
import { isADirectory, permissionDenied } from './errors.js';
import type { Fcall, FcallOf } from './fcall.js';
import { DMDIR, type ServedNode, type Stat, type StatChange } from './file-server.js';
import { checkFileName } from './names.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

export function stat(session: Session, { tag, fid: number }: FcallOf<'Tstat'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  const current = fid.sequence.after(() => statOf(fid.node), request);
  return chain(current, (found): Fcall => ({ type: 'Rstat', tag, stat: toWire(found) }));
}

/** The stat of a place, whose mode and qid are of one type. */
export function statOf(node: ServedNode): Awaitable<Stat> {
  return chain(node.stat(), checked);
}

function checked(found: Stat): Stat {
  if (found.mode >>> 24 !== found.qid.type) throw new TypeError(`mode and qid of ${found.name} differ in type`);
  return found;
}

export function wstat(session: Session, message: FcallOf<'Twstat'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(message.fid);
  return fid.sequence.change(async (): Promise<Fcall> => {
    await apply(fid.node, message.stat, request);
    return { type: 'Rwstat', tag: message.tag };
  }, request);
}

/** A Twstat that asks for nothing means "sync": it succeeds. */
async function apply(node: ServedNode, asked: WireStat, request: Request): Promise<void> {
  const current = await node.stat();
  checkFixed(asked, current);
  const change = changeOf(asked, current);
  if (change.name !== undefined) checkFileName(change.name);
  if (Object.keys(change).length > 0) await node.wstat(change, request.signal);
}

/** What no Twstat may change. Asking for the value that is there passes; muid is ignored. */
function checkFixed(asked: WireStat, current: Stat): void {
  const isFixed =
    keeps(asked.type, 0, KEEP_16) &&
    keeps(asked.dev, 0, KEEP_32) &&
    keeps(asked.qid.type, current.qid.type, 0xff) &&
    keeps(asked.qid.version, current.qid.version, KEEP_32) &&
    keeps(asked.qid.path, current.qid.path, KEEP_64) &&
    keeps(asked.uid, current.uid, '') &&
    (asked.mode === KEEP_32 || ((asked.mode ^ current.mode) & DMDIR) === 0);
  if (!isFixed) throw permissionDenied();
  if (isDirectory(current) && !keeps(asked.length, 0, KEEP_64)) throw isADirectory();
}

function isDirectory({ mode }: Stat): boolean {
  return (mode & DMDIR) !== 0;
}

function keeps<T>(asked: T, current: T, keep: T): boolean {
  return asked === keep || asked === current;
}

function changeOf(asked: WireStat, current: Stat): StatChange {
  return {
    ...(keeps(asked.mode, current.mode, KEEP_32) ? {} : { mode: asked.mode }),
    ...(asked.atime === KEEP_32 ? {} : { atime: asked.atime }),
    ...(asked.mtime === KEEP_32 ? {} : { mtime: asked.mtime }),
    ...(asked.length === KEEP_64 || isDirectory(current) ? {} : { length: asked.length }),
    ...(keeps(asked.name, current.name, '') ? {} : { name: asked.name }),
    ...(keeps(asked.gid, current.gid, '') ? {} : { gid: asked.gid }),
  };
}
