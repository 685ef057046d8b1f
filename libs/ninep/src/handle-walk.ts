import { illegalArgument, noSuchFile, notADirectory } from './errors.js';
import { toClientError } from './faults.js';
import { MAX_NAMES, type Fcall, type FcallOf } from './fcall.js';
import type { Fid } from './fids.js';
import { QTDIR, type Qid, type ServedNode } from './file-server.js';
import { checkStep } from './names.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';
import type { Awaitable } from './awaitable.js';

type Twalk = FcallOf<'Twalk'>;

/** How far a walk came: all the way when there are as many qids as names. */
interface Walked {
  readonly node: ServedNode;
  readonly qids: readonly Qid[];
}

export function walk(session: Session, message: Twalk, request: Request): Awaitable<Fcall> {
  const from = session.fids.get(message.fid);
  if (message.names.length > MAX_NAMES) throw illegalArgument('too many names');
  message.names.forEach(checkStep);
  if (message.newfid === message.fid) return from.sequence.change(() => walkInPlace(session, message, from), request);
  return session.makeFid(message.newfid, async (to) => {
    const walked = await from.sequence.after(() => steps(session, from.node, message.names), request);
    return settle(message, to, walked);
  });
}

async function walkInPlace(session: Session, message: Twalk, fid: Fid): Promise<Fcall> {
  return settle(message, fid, await steps(session, fid.unopened, message.names));
}

function settle({ tag, names }: Twalk, fid: Fid, { node, qids }: Walked): Fcall {
  if (qids.length === names.length) fid.state = { kind: 'node', node };
  return { type: 'Rwalk', tag, qids };
}

async function steps(session: Session, start: ServedNode, names: readonly string[]): Promise<Walked> {
  const qids: Qid[] = [];
  let node = start;
  try {
    for (const name of names) {
      node = await step(node, name);
      qids.push(node.qid);
    }
  } catch (error) {
    if (qids.length === 0) throw error;
    toClientError(error, session.host.onBug);
  }
  return { node, qids };
}

async function step(node: ServedNode, name: string): Promise<ServedNode> {
  if (!(node.qid.type & QTDIR)) throw notADirectory();
  const next = name === '.' ? node : await node.walk(name);
  if (next === undefined) throw noSuchFile();
  return next;
}
