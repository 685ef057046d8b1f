export { chain, type Awaitable } from './awaitable.js';
export {
  DMDIR,
  openMode,
  QTDIR,
  type AttachingUser,
  type AttachRequest,
  type AuthConversation,
  type FileServer,
  type OpenFile,
  type Waiter,
  type OpenMode,
  type Qid,
  type ServedNode,
  type Stat,
  type StatChange,
} from './file-server.js';
export { NinepError, noAuthRequired } from './errors.js';
export { formatAddress, parseAddress, type Address } from './address.js';
export { ensureOwnDirectory, namespaceDirectory } from './namespace-dir.js';
export { defaultLimits, type ServerLimits } from './limits.js';
export { WriteAllowance } from './write-allowance.js';
export { removeDeadSocket } from './listen.js';
export { NinepServer, type ListenOptions } from './server.js';
export type { AttachOptions, DialOptions } from './dial.js';
export { clientTag } from './client-tag.js';
export { Client } from './client.js';
export type { RemoteFile } from './remote-file.js';
export { chunksOf } from './chunks-of.js';
export { decodeMessage, encodeMessage } from './codec.js';
export { ninep2000, ninep2000L, type Dialect } from './dialect.js';
export { NO_UID, type Fcall } from './fcall.js';
