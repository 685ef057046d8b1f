import { InterruptedFileError } from './errors.js';
import { limitedWait } from './limited-wait.js';
import { MessageBuffer } from './message-buffer.js';
import { Snapshot } from './snapshot.js';
import type { Awaitable, Client, FileBehaviour, FileHandle, FileSpec, Waiter } from './types.js';
import { EMPTY } from './utf8.js';
import { WriteFacts } from './write-facts.js';

/** Without a write for so long, what was written is whole: whoever feeds a file may keep it open for ever. */
export const PAUSE_MS = 200;

/** Where a latest file puts values, and waits for them: `LatestValue` is one. */
export interface LatestSource {
  set(bytes: Uint8Array): void;
  next(client: Client, signal: AbortSignal): Promise<Uint8Array>;
}

/**
 * What is written up to a close, or to a pause of 200 ms, replaces the value; above 16 MiB the write fails and is dropped. What was
 * refused in a pause fails the next write, or the close. A read at
 * offset 0 waits until there is a value that this client has not been given; later offsets are served from that value and end, and
 * where nothing was delivered yet they end at once. A client with `waitMs` waits no longer than that for the end of file. An
 * abort ends the wait with InterruptedFileError and consumes nothing.
 */
export function latest<S>(about: string, source: (s: S) => LatestSource): FileSpec<S> {
  return { kind: 'latest', mode: 0o664, about, bind: (s) => new LatestFile(() => source(s)) };
}

class LatestFile implements FileBehaviour {
  readonly uses = new WriteFacts();

  constructor(readonly source: () => LatestSource) {}

  get version(): number {
    return this.uses.version;
  }

  facts() {
    return this.uses.facts();
  }

  open(_access: unknown, client: Client): FileHandle {
    return new LatestHandle(this, client);
  }
}

class LatestHandle implements FileHandle {
  private readonly delivered: Snapshot;
  private written = new MessageBuffer();
  private pause: NodeJS.Timeout | undefined;
  private refusal: { readonly error: unknown } | undefined;

  constructor(
    private readonly file: LatestFile,
    private readonly client: Client,
  ) {
    this.delivered = new Snapshot(({ signal }) => this.next(signal));
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    if (offset > 0 && !this.delivered.isLoaded) return EMPTY;
    return this.delivered.read(offset, count, waiter);
  }

  write(_offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    clearTimeout(this.pause);
    this.throwRefusal();
    this.pause = setTimeout(() => this.commitInPause(), PAUSE_MS);
    this.written.add(data);
  }

  close(): void {
    this.commit();
    this.throwRefusal();
  }

  /** Nobody waits for it: the next write or the close is refused in its place. */
  private commitInPause(): void {
    try {
      this.commit();
    } catch (error) {
      this.refusal = { error };
    }
  }

  private throwRefusal(): void {
    const { refusal } = this;
    this.refusal = undefined;
    if (refusal) throw refusal.error;
  }

  private commit(): void {
    clearTimeout(this.pause);
    const { bytes } = this.written;
    this.written = new MessageBuffer();
    if (bytes === undefined) return;
    this.file.source().set(bytes);
    this.file.uses.touch(this.client);
  }

  private async next(signal: AbortSignal): Promise<Uint8Array> {
    if (signal.aborted) throw new InterruptedFileError();
    return (await limitedWait(this.client, signal, (limit) => this.file.source().next(this.client, limit))) ?? EMPTY;
  }
}
