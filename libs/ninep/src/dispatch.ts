import type { Awaitable } from './awaitable.js';
import { illegalArgument } from './errors.js';
import type { Fcall, FcallOf } from './fcall.js';
import { attach, auth } from './handle-auth.js';
import { clunk, remove } from './handle-clunk.js';
import { flush } from './handle-flush.js';
import { read, write } from './handle-io.js';
import { create, open } from './handle-open.js';
import { stat, wstat } from './handle-stat.js';
import { walk } from './handle-walk.js';
import type { LaterRead } from './later-read.js';
import { dispatchLinux } from './linux/dispatch.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

/** Who begins sessions and knows the current one; asking for it before a Tversion throws NinepError. */
export interface SessionOwner {
  readonly session: Session;
  version(message: FcallOf<'Tversion'>): Fcall;
}

/** A message that a client may send. */
type Tmessage = Extract<Fcall, { readonly type: `T${string}` }>;

function isRequest(message: Fcall): message is Tmessage {
  return message.type.startsWith('T');
}

/** The protocol: what answers which message; the rest of 9P2000.L is in linux/dispatch.ts. */
// oxlint-disable-next-line complexity -- one line for each message
export function dispatch(owner: SessionOwner, message: Fcall, request: Request): Awaitable<Fcall> | LaterRead {
  if (!isRequest(message)) throw illegalArgument(`${message.type} is not a request`);
  // oxlint-disable-next-line switch-exhaustiveness-check -- the type of dispatchLinux holds what is left
  switch (message.type) {
    case 'Tversion':
      return owner.version(message);
    case 'Tauth':
      return auth(owner.session, message);
    case 'Tattach':
      return attach(owner.session, message, request);
    case 'Tflush':
      return flush(owner.session, message);
    case 'Twalk':
      return walk(owner.session, message, request);
    case 'Topen':
      return open(owner.session, message, request);
    case 'Tcreate':
      return create(owner.session, message, request);
    case 'Tread':
      return read(owner.session, message, request);
    case 'Twrite':
      return write(owner.session, message, request);
    case 'Tclunk':
      return clunk(owner.session, message);
    case 'Tremove':
      return remove(owner.session, message, request);
    case 'Tstat':
      return stat(owner.session, message, request);
    case 'Twstat':
      return wstat(owner.session, message, request);
    default:
      return dispatchLinux(owner.session, message, request);
  }
}
