export type {
  Access,
  Awaitable,
  Call,
  Children,
  Client,
  CloseReason,
  ConditionalGrant,
  Command,
  DirSpec,
  FileBehaviour,
  FileFacts,
  FileHandle,
  FileSpec,
  Grant,
  KindName,
  Later,
  NodeStat,
  Role,
  Settled,
  TreeNode,
  Waiter,
} from './types.js';
export {
  FileDeniedError,
  FileError,
  IllegalFileInputError,
  InterruptedFileError,
  isClientError,
  NoSuchFileError,
  TooLongError,
  type FilePosix,
} from './errors.js';
export { fetched, text } from './text.js';
export { data } from './data.js';
export { settings, type SettingsRow } from './settings.js';
export { control, type ControlOptions } from './control.js';
export { command, type CommandTable, openCommandTo } from './command.js';
export { onlyFor, openTo, reservedFor } from './roles.js';
export { message } from './message.js';
export { queue, type QueueSource } from './queue.js';
export { latest, PAUSE_MS, type LatestSource } from './latest.js';
export { ask, type AskOptions } from './ask.js';
export { wait, type WaitSource } from './wait.js';
export { remoteBytes, type ByteRange, type RemoteBytes } from './remote-bytes.js';
export { output, stream } from './stream.js';
export { lineStream } from './line-stream.js';
export { dir, dirOf, type DirOptions } from './dir.js';
export { mount } from './mount.js';
export { permits } from './modes.js';
export { renderReference } from './reference.js';
export { ByteLog } from './byte-log.js';
export { LineLog } from './line-log.js';
export type { ByteSequence, ByteSpill } from './byte-chunks.js';
export { ValueCell } from './value-cell.js';
export { LatestValue } from './latest-value.js';
export { DataBuffer, type DataKeeper } from './data-buffer.js';
export { MemoryClient } from './memory-client.js';
