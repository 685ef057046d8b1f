import { AnswerCursor } from './answer-cursor.js';
import { after, uncancelled } from './awaitable.js';
import { commitsAt, MessageBuffer } from './message-buffer.js';
import type { Access, Awaitable, Call, Client, CloseReason, FileBehaviour, FileHandle, FileSpec, Waiter } from './types.js';
import { EMPTY, encode, withNewline } from './utf8.js';
import { WriteFacts } from './write-facts.js';

/** What a queue file puts messages into and takes them from. */
export interface QueueSource {
  push(text: string, call: Call): Awaitable<void>;
  /** The oldest message, which is then gone; undefined when there is none. */
  pop(): string | undefined;
}

/**
 * What is written on one handle is one message, which is pushed at the close, or at the first read of a handle that may
 * read. The first read pops one message; further reads finish that one and then give end of file, and no handle
 * pops two unless it writes in between. Where there is none that is end of file at once, and a later read may still pop. Nothing waits. A stat pops nothing.
 */
export function queue<S>(about: string, source: (s: S) => QueueSource): FileSpec<S> {
  return { kind: 'queue', mode: 0o664, about, bind: (s) => new QueueFile(() => source(s)) };
}

class QueueFile implements FileBehaviour {
  readonly uses = new WriteFacts();

  constructor(readonly source: () => QueueSource) {}

  get version(): number {
    return this.uses.version;
  }

  facts() {
    return this.uses.facts();
  }

  open(access: Access, client: Client): FileHandle {
    return new QueueHandle(this, access, client);
  }
}

class QueueHandle implements FileHandle {
  private readonly cursor = new AnswerCursor();
  private written = new MessageBuffer();
  private popped: Uint8Array | undefined;

  constructor(
    private readonly file: QueueFile,
    private readonly access: Access,
    private readonly client: Client,
  ) {}

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    const place = this.cursor.locate(offset);
    const show = () => this.show(place, count);
    return this.written.text === undefined ? show() : after(this.commit(waiter.signal), show);
  }

  write(offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.cursor.wrote(offset, data.length);
    this.popped = undefined;
    this.written.add(data);
  }

  async close(reason: CloseReason): Promise<void> {
    if (commitsAt(reason, this.access)) await this.commit(uncancelled());
  }

  private show(place: number, count: number): Uint8Array {
    if (this.popped === undefined && place > 0) return EMPTY;
    this.popped ??= this.pop();
    return this.popped?.subarray(place, place + count) ?? EMPTY;
  }

  private pop(): Uint8Array | undefined {
    const text = this.file.source().pop();
    if (text === undefined) return undefined;
    this.file.uses.touch();
    return encode(withNewline(text));
  }

  private async commit(signal: AbortSignal): Promise<void> {
    const { text } = this.written;
    this.written = new MessageBuffer();
    if (text === undefined) return;
    await this.file.source().push(text, { signal, client: this.client });
    this.file.uses.touch(this.client);
  }
}
