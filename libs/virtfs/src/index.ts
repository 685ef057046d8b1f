export type {
  Access,
  Awaitable,
  Call,
  Children,
  Client,
  CloseReason,
  Command,
  DirSpec,
  FileBehaviour,
  FileFacts,
  FileHandle,
  FileSpec,
  KindName,
  NodeStat,
  Role,
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
export { control, type ControlOptions } from './control.js';
export { command, openCommandTo } from './command.js';
export { onlyFor, openTo } from './roles.js';
export { message } from './message.js';
export { ask, type AskOptions } from './ask.js';
export { wait, type WaitSource } from './wait.js';
export { output, stream } from './stream.js';
export { dir, dirOf, type DirOptions } from './dir.js';
export { mount } from './mount.js';
export { permits } from './modes.js';
export { renderReference } from './reference.js';
export { ByteLog } from './byte-log.js';
export type { ByteSpill } from './byte-chunks.js';
export { ValueCell } from './value-cell.js';
export { DataBuffer } from './data-buffer.js';
export { MemoryClient } from './memory-client.js';
