import type { Client, FileFacts } from './types.js';

/** Facts of a file whose stat shows no content: length 0, a version that counts uses, the last writer. */
export class WriteFacts {
  private known: FileFacts = { length: 0, version: 0, mtimeMs: Date.now(), muid: '' };

  get version(): number {
    return this.known.version;
  }

  touch(by?: Client): void {
    const { version, muid } = this.known;
    this.known = { length: 0, version: version + 1, mtimeMs: Date.now(), muid: by?.uname ?? muid };
  }

  facts(): FileFacts {
    return this.known;
  }
}
