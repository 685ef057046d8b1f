import { createHash } from 'node:crypto';
import type { Client, FileFacts } from './types.js';
import { encode } from './utf8.js';

/** Longer texts are known again by a digest; shorter ones are kept, and not even encoded again. */
const KEPT_BYTES = 1024;

/** What a text file last was: enough to tell whether it has changed. */
export class LastText {
  #facts: FileFacts = { length: 0, version: 0, mtimeMs: Date.now(), muid: '' };
  #content: string | undefined;
  #bytes: Uint8Array = encode('');
  #digest = '';
  /** A long text, while anybody has it: many opens of one file are to hold it once. */
  #long: WeakRef<Uint8Array> | undefined;

  get facts(): FileFacts {
    return this.#facts;
  }

  writtenBy({ uname }: Client): void {
    this.#facts = { ...this.#facts, muid: uname };
  }

  /** Takes what was rendered now, and gives its bytes. */
  note(content: string): Uint8Array {
    if (content === this.#content) return this.#bytes;
    const isFirst = this.#content === undefined && this.#digest === '';
    const bytes = encode(content);
    if (this.#keep(content, bytes)) return this.#share(bytes);
    const { version, muid } = this.#facts;
    this.#facts = { length: bytes.length, version: isFirst ? 0 : version + 1, mtimeMs: Date.now(), muid };
    return bytes;
  }

  /** The bytes that others have, when there are such. */
  #share(bytes: Uint8Array): Uint8Array {
    const before = this.#long?.deref();
    if (before) return before;
    this.#long = new WeakRef(bytes);
    return bytes;
  }

  /** True when it is what was kept before. */
  #keep(content: string, bytes: Uint8Array): boolean {
    const isLong = bytes.length > KEPT_BYTES;
    const before = this.#digest;
    this.#digest = isLong ? createHash('sha1').update(bytes).digest('base64') : '';
    this.#content = isLong ? undefined : content;
    this.#bytes = isLong ? encode('') : bytes;
    if (isLong && before === this.#digest) return true;
    this.#long = isLong ? new WeakRef(bytes) : undefined;
    return false;
  }
}
