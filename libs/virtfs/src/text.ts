import { createHash } from 'node:crypto';
import { after, isPromise, uncancelled } from './awaitable.js';
import { FileDeniedError, isClientError } from './errors.js';
import { TextHandle, type TextSource } from './text-handle.js';
import type { Access, Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';
import { encode } from './utf8.js';

type Read<S> = (s: S, call: Call) => Awaitable<string>;
type Write<S> = (s: S, value: string, call: Call) => Awaitable<void>;

const NOBODY: Client = { role: 'guest', uname: '', aname: '', tag: 'stat' };

/**
 * Text that is rendered at each read at offset 0 and served from that snapshot, per handle. What is written
 * takes effect at the close, or at the first read of a handle that may read, without one trailing newline; an error of `write` is
 * that call's. Handles are independent; overlapping reads of one handle share a rendering and its failure.
 */
export function text<S>(about: string, read: Read<S>, write?: Write<S>): FileSpec<S> {
  return { kind: 'text', mode: write ? 0o664 : 0o444, about, bind: (s) => new TextFile(s, { read, write, isFetched: false }) };
}

/** As `text`, for content that comes over a network or from a process: stat tells what the last read rendered. */
export function fetched<S>(about: string, read: Read<S>): FileSpec<S> {
  return { kind: 'text', mode: 0o444, about, bind: (s) => new TextFile(s, { read, write: undefined, isFetched: true }) };
}

interface TextRow<S> {
  readonly read: Read<S>;
  readonly write: Write<S> | undefined;
  readonly isFetched: boolean;
}

class TextFile<S> implements FileBehaviour, TextSource {
  private known: FileFacts = { length: 0, version: 0, mtimeMs: Date.now(), muid: '' };
  private digest = '';

  constructor(
    private readonly subject: S,
    private readonly row: TextRow<S>,
  ) {}

  get version(): number {
    return this.known.version;
  }

  open(access: Access, client: Client): FileHandle {
    return new TextHandle(this, access, client);
  }

  facts(): Awaitable<FileFacts> {
    if (this.row.isFetched) return this.known;
    const call = { signal: uncancelled(), client: NOBODY };
    return after(this.attempt(call), () => this.known);
  }

  render(call: Call): Awaitable<Uint8Array> {
    return after(this.row.read(this.subject, call), (content) => this.note(encode(content)));
  }

  async write(value: string, call: Call): Promise<void> {
    if (!this.row.write) throw new FileDeniedError();
    await this.row.write(this.subject, value.replace(/\n$/, ''), call);
    this.known = { ...this.known, muid: call.client.uname };
  }

  /** A rendering that fails leaves stat with what was known: a directory must stay listable. */
  private attempt(call: Call): Awaitable<unknown> {
    try {
      const rendered = this.render(call);
      return isPromise(rendered) ? rendered.catch(onlyClientErrors) : rendered;
    } catch (error) {
      return onlyClientErrors(error);
    }
  }

  private note(bytes: Uint8Array): Uint8Array {
    const digest = createHash('sha1').update(bytes).digest('base64');
    if (digest !== this.digest) {
      const version = this.digest === '' ? 0 : this.known.version + 1;
      this.known = { length: bytes.length, version, mtimeMs: Date.now(), muid: this.known.muid };
      this.digest = digest;
    }
    return bytes;
  }
}

function onlyClientErrors(error: unknown): void {
  if (!isClientError(error)) throw error;
}
