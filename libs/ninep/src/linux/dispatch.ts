import type { Awaitable } from '../awaitable.js';
import type { Fcall, FcallOf } from '../fcall.js';
import type { Request } from '../requests.js';
import type { Session } from '../session.js';
import { getattr, setattr, statfs } from './handle-attributes.js';
import { rename, renameat, unlinkat } from './handle-names.js';
import { lopen, readdir } from './handle-open.js';
import { make, readlink, xattr } from './handle-refused.js';
import { fsync, getlock, lock } from './handle-sync.js';
import type { linuxMessages } from './messages.js';

type OwnType = Extract<Exclude<keyof typeof linuxMessages, 'Tauth' | 'Tattach'>, `T${string}`>;

/** A request that 9P2000.L has and 9P2000 has not. */
export type LinuxRequest = FcallOf<OwnType>;

/** What answers which of the messages that only 9P2000.L has. */
// oxlint-disable-next-line complexity -- one line for each message
export function dispatchLinux(session: Session, message: LinuxRequest, request: Request): Awaitable<Fcall> {
  switch (message.type) {
    case 'Tlopen':
      return lopen(session, message, request);
    case 'Treaddir':
      return readdir(session, message, request);
    case 'Tgetattr':
      return getattr(session, message, request);
    case 'Tsetattr':
      return setattr(session, message, request);
    case 'Tstatfs':
      return statfs(session, message, request);
    case 'Tfsync':
      return fsync(session, message, request);
    case 'Tlock':
      return lock(session, message, request);
    case 'Tgetlock':
      return getlock(session, message, request);
    case 'Trename':
      return rename(session, message, request);
    case 'Trenameat':
      return renameat(session, message, request);
    case 'Tunlinkat':
      return unlinkat(session, message, request);
    case 'Treadlink':
      return readlink(session, message, request);
    case 'Txattrwalk':
    case 'Txattrcreate':
      return xattr(session, message, request);
    case 'Tlcreate':
    case 'Tmkdir':
    case 'Tsymlink':
    case 'Tmknod':
    case 'Tlink':
      return make(session, message, request);
  }
}
