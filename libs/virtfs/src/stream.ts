import type { ByteLog } from './byte-log.js';
import { FileDeniedError } from './errors.js';
import type { FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

/**
 * A growing log read by offset. At its end a read waits while the log is held and gives end of file when
 * it is not; more may follow an end of file. Any number of handles read at their own pace; none delays
 * the writer. An abort ends a wait with InterruptedFileError.
 */
export function stream<S>(about: string, log: (s: S) => ByteLog): FileSpec<S> {
  const read =
    (from: ByteLog): FileHandle['read'] =>
    (offset, count, signal) =>
      from.at(offset, count, signal);
  return { kind: 'stream', mode: 0o444, about, bind: (s) => new LogFile(() => log(s), read) };
}

/** A growing log read by offset that never waits: at its present end is the end of file, and its length is always true. */
export function output<S>(about: string, log: (s: S) => ByteLog): FileSpec<S> {
  const read =
    (from: ByteLog): FileHandle['read'] =>
    (offset, count) =>
      from.slice(offset, count);
  return { kind: 'text', mode: 0o444, about, bind: (s) => new LogFile(() => log(s), read) };
}

class LogFile implements FileBehaviour {
  constructor(
    private readonly log: () => ByteLog,
    private readonly read: (log: ByteLog) => FileHandle['read'],
  ) {}

  get version(): number {
    return this.log().version;
  }

  open(): FileHandle {
    const read = this.read(this.log());
    const write = () => {
      throw new FileDeniedError();
    };
    return { read, write, close: () => undefined };
  }

  facts(): FileFacts {
    const { length, version, mtimeMs } = this.log();
    return { length, version, mtimeMs, muid: '' };
  }
}
