import { LineLogHandle } from './line-log-handle.js';
import type { LineLog } from './line-log.js';
import type { Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

/**
 * A log of lines read by offset, of which the newest are kept. At its end a read waits for more, or, with `waits` false, is
 * the end of the file; a client with `waitMs` waits no longer than that. An offset before what is kept gives the log's line
 * about the gap and goes on at its start; where reads wait, so does one behind the end, which is that of an earlier log. Handles read at their own pace and nothing is kept for them.
 */
export function lineStream<S>(about: string, log: (s: S) => LineLog, waits = true): FileSpec<S> {
  return { kind: 'stream', mode: 0o444, about, bind: (s) => new LineLogFile(() => log(s), waits) };
}

class LineLogFile implements FileBehaviour {
  constructor(
    private readonly log: () => LineLog,
    private readonly waits: boolean,
  ) {}

  get version(): number {
    return this.log().version;
  }

  open(_access: unknown, client: Client): FileHandle {
    return new LineLogHandle(this.log(), client, this.waits);
  }

  facts(): FileFacts {
    const { length, version, mtimeMs } = this.log();
    return { length, version, mtimeMs, muid: '' };
  }
}
