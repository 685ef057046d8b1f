import { permissionDenied } from './errors.js';
import { NO_UID, NOFID, type Fcall, type FcallOf } from './fcall.js';
import type { Fid } from './fids.js';
import { QTAUTH, type AttachingUser, type AuthConversation } from './file-server.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

export function auth(session: Session, message: FcallOf<'Tauth'>): Promise<Fcall> {
  const { tag, afid } = message;
  const user = userOf(message);
  return session.makeFid(afid, async (fid) => {
    const conversation = await session.host.files.authenticate(user);
    fid.state = { kind: 'auth', conversation, user };
    return { type: 'Rauth', tag, aqid: { type: QTAUTH, version: 0, path: afid } };
  });
}

export function attach(session: Session, message: FcallOf<'Tattach'>, request: Request): Promise<Fcall> {
  const afid = message.afid === NOFID ? undefined : session.fids.get(message.afid);
  return session.makeFid(message.fid, async (fid) => {
    const proof = await afid?.sequence.after(() => proofOf(afid, message), request);
    const { files, connectionId, socket, allowance } = session.host;
    const node = await files.attach({ ...userOf(message), connectionId, ...(socket && { socket }), allowance, auth: proof });
    fid.state = { kind: 'node', node };
    session.host.onAttach();
    return { type: 'Rattach', tag: message.tag, qid: node.qid };
  });
}

function userOf(message: FcallOf<'Tauth'> | FcallOf<'Tattach'>): AttachingUser {
  const { uname, aname } = message;
  return 'uid' in message && message.uid !== NO_UID ? { uname, aname, uid: message.uid } : { uname, aname };
}

function proofOf({ state }: Fid, message: FcallOf<'Tattach'>): AuthConversation {
  if (state.kind !== 'auth' || !state.conversation.done) throw permissionDenied('authentication required');
  const { uname, aname, uid } = userOf(message);
  const isSame = state.user.uname === uname && state.user.aname === aname && state.user.uid === uid;
  if (!isSame) throw permissionDenied('authenticated as another user');
  return state.conversation;
}
