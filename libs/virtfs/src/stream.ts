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
    (offset, count, waiter) =>
      from.at(offset, count, waiter);
  return { kind: 'stream', mode: 0o444, about, bind: (s) => new LogFile(() => log(s), read) };
}

/**
 * A growing log read by offset that never waits: at its present end is the end of file. With `lastBytes` it is
 * the end of the log from the start of a line; a read at offset 0 says from where, and higher offsets go on
 * from there, so that `tail -f` follows. The length is what a read at offset 0 would find.
 */
export function output<S>(about: string, log: (s: S) => ByteLog, lastBytes = Infinity): FileSpec<S> {
  const read = (from: ByteLog): FileHandle['read'] => {
    let start = from.tailStart(lastBytes);
    return (offset, count) => {
      if (offset === 0) start = from.tailStart(lastBytes);
      return from.slice(start + offset, count);
    };
  };
  return { kind: 'text', mode: 0o444, about, bind: (s) => new LogFile(() => log(s), read, lastBytes) };
}

class LogFile implements FileBehaviour {
  constructor(
    private readonly log: () => ByteLog,
    private readonly read: (log: ByteLog) => FileHandle['read'],
    private readonly lastBytes = Infinity,
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
    const log = this.log();
    const { length, version, mtimeMs } = log;
    return { length: length - log.tailStart(this.lastBytes), version, mtimeMs, muid: '' };
  }
}
