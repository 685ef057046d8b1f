export type { Awaitable } from './awaitable.js';
export {
  DMDIR,
  openMode,
  QTDIR,
  type AttachRequest,
  type AuthConversation,
  type FileServer,
  type OpenFile,
  type OpenMode,
  type Qid,
  type ServedNode,
  type Stat,
  type StatChange,
} from './file-server.js';
export { NinepError } from './errors.js';
export { parseAddress, type Address } from './address.js';
export { ensureOwnDirectory, namespaceDirectory } from './namespace-dir.js';
export type { ServerLimits } from './limits.js';
export { NinepServer, type ListenOptions } from './server.js';
export type { DialOptions } from './dial.js';
export { Client } from './client.js';
export type { RemoteFile } from './remote-file.js';
export { chunksOf } from './chunks-of.js';
export { decodeMessage, encodeMessage } from './codec.js';
export type { Fcall } from './fcall.js';
