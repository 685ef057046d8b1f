import { isPromise, uncancelled } from './awaitable.js';
import { FileDeniedError, isClientError } from './errors.js';
import { LastText } from './last-text.js';
import { TextHandle, type TextSource } from './text-handle.js';
import type { Access, Awaitable, Call, Client, FileBehaviour, FileFacts, FileHandle, FileSpec } from './types.js';

type Read<S> = (s: S, call: Call) => Awaitable<string>;
type Write<S> = (s: S, value: string, call: Call) => Awaitable<void>;

const NOBODY: Client = { role: 'guest', uname: '', aname: '', tag: 'stat' };

/** Most rows never ask for the signal, and a long listing renders many. */
const statCall: Call = {
  client: NOBODY,
  get signal() {
    return uncancelled();
  },
};

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
  private readonly last = new LastText();

  constructor(
    private readonly subject: S,
    private readonly row: TextRow<S>,
  ) {}

  get version(): number {
    return this.last.facts.version;
  }

  open(access: Access, client: Client): FileHandle {
    return new TextHandle(this, access, client);
  }

  facts(): Awaitable<FileFacts> {
    if (this.row.isFetched) return this.last.facts;
    const attempt = this.attempt();
    return attempt ? attempt.then(() => this.last.facts) : this.last.facts;
  }

  render(call: Call): Awaitable<Uint8Array> {
    const content = this.row.read(this.subject, call);
    return isPromise(content) ? content.then((text) => this.last.note(text)) : this.last.note(content);
  }

  async write(value: string, call: Call): Promise<void> {
    if (!this.row.write) throw new FileDeniedError();
    await this.row.write(this.subject, value.replace(/\n$/, ''), call);
    this.last.writtenBy(call.client);
  }

  /** A rendering that fails leaves stat with what was known: a directory must stay listable. */
  private attempt(): Promise<unknown> | undefined {
    try {
      const content = this.row.read(this.subject, statCall);
      if (isPromise(content)) return content.then((text) => this.last.note(text)).catch(onlyClientErrors);
      this.last.note(content);
    } catch (error) {
      onlyClientErrors(error);
    }
  }
}

function onlyClientErrors(error: unknown): void {
  if (!isClientError(error)) throw error;
}
