import { permissionDenied } from './errors.js';
import { NOFID, type Fcall, type FcallOf } from './fcall.js';
import type { Fid } from './fids.js';
import { QTAUTH, type AuthConversation, type ServedNode } from './file-server.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

export function auth(session: Session, message: FcallOf<'Tauth'>): Promise<Fcall> {
  const { tag, afid, uname, aname } = message;
  return session.makeFid(afid, async (fid) => {
    const conversation = await session.host.files.authenticate(uname, aname);
    fid.state = { kind: 'auth', conversation, uname, aname };
    return { type: 'Rauth', tag, aqid: { type: QTAUTH, version: 0, path: afid } };
  });
}

export function attach(session: Session, message: FcallOf<'Tattach'>, request: Request): Promise<Fcall> {
  const afid = message.afid === NOFID ? undefined : session.fids.get(message.afid);
  return session.makeFid(message.fid, async (fid) => {
    const proof = await afid?.sequence.after(() => proofOf(afid, message), request);
    const node = await root(session, message, proof);
    fid.state = { kind: 'node', node };
    return { type: 'Rattach', tag: message.tag, qid: node.qid };
  });
}

function root(
  session: Session,
  { uname, aname }: FcallOf<'Tattach'>,
  proof: AuthConversation | undefined,
): Promise<ServedNode> | ServedNode {
  const { files, connectionId } = session.host;
  return files.attach({ uname, aname, connectionId, auth: proof });
}

function proofOf({ state }: Fid, { uname, aname }: FcallOf<'Tattach'>): AuthConversation {
  if (state.kind !== 'auth' || !state.conversation.done) throw permissionDenied('authentication required');
  if (state.uname !== uname || state.aname !== aname) throw permissionDenied('authenticated as another user');
  return state.conversation;
}
