import type { Client, FileFacts } from './types.js';

/** Facts of a file whose stat shows no content: length 0, a version that counts uses, the last writer. */
export class WriteFacts {
  private count = 0;
  private touchedMs = Date.now();
  private writer = '';

  get version(): number {
    return this.count;
  }

  touch(by?: Client): void {
    this.count++;
    this.touchedMs = Date.now();
    if (by) this.writer = by.uname;
  }

  facts(): FileFacts {
    return { length: 0, version: this.count, mtimeMs: this.touchedMs, muid: this.writer };
  }
}
