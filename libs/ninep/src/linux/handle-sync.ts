import type { Awaitable } from '../awaitable.js';
import { badFid, illegalArgument } from '../errors.js';
import type { Fcall, FcallOf } from '../fcall.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';
import { lockKind, type LockRequest } from './locks.js';

/** The writes that came before have taken effect then. */
export function fsync(session: Session, { tag, fid: number }: FcallOf<'Tfsync'>, request: Request): Awaitable<Fcall> {
  const fid = session.fids.get(number);
  return fid.sequence.after((): Fcall => {
    void fid.node;
    return { type: 'Rfsync', tag };
  }, request);
}

const SUCCESS = 0;
const BLOCKED = 1;

/** Never waits: a client that wants to wait asks again. */
export function lock(session: Session, message: FcallOf<'Tlock'>, request: Request): Awaitable<Fcall> {
  const { locks } = session.host;
  const fid = session.fids.get(message.fid);
  return fid.sequence.after((): Fcall => {
    if (fid.state.kind !== 'open') throw badFid('not open');
    const wanted = requestOf(session, message, fid.node.qid.path);
    const isGranted = locks.take(wanted, fid);
    return { type: 'Rlock', tag: message.tag, status: isGranted ? SUCCESS : BLOCKED };
  }, request);
}

export function getlock(session: Session, message: FcallOf<'Tgetlock'>, request: Request): Awaitable<Fcall> {
  const { tag, start, length, process, client } = message;
  const { locks } = session.host;
  const fid = session.fids.get(message.fid);
  return fid.sequence.after((): Fcall => {
    const found = locks.conflict(requestOf(session, message, fid.node.qid.path));
    if (found === undefined) return { type: 'Rgetlock', tag, kind: lockKind.none, start, length, process, client };
    const { kind, range, owner } = found;
    const held = Number.isFinite(range.end) ? range.end - range.start : 0;
    return { type: 'Rgetlock', tag, kind, start: range.start, length: held, process: owner.process, client: owner.client };
  }, request);
}

function requestOf(session: Session, message: FcallOf<'Tlock' | 'Tgetlock'>, path: number): LockRequest {
  const { kind, start, length, process, client } = message;
  if (kind > lockKind.none) throw illegalArgument(`lock type ${kind}`);
  const end = length === 0 ? Infinity : start + length;
  return { path, kind, range: { start, end }, owner: { connection: session.host.connectionId, process, client } };
}
