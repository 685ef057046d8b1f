import { FileDeniedError, InterruptedFileError } from './errors.js';
import { limitedWait } from './limited-wait.js';
import { Snapshot } from './snapshot.js';
import type { Awaitable, Client, FileBehaviour, FileHandle, FileSpec, Waiter } from './types.js';
import { EMPTY, encode, withNewline } from './utf8.js';
import { WriteFacts } from './write-facts.js';

/** What a wait file reads from: `next` resolves with the text of the newest thing that this client has not had. */
export interface WaitSource {
  next(client: Client, signal: AbortSignal): Promise<string>;
  /** What a read returns when `waitMs` ran out; undefined = end of file. */
  current?(): string;
  /** True once nothing will follow: each handle then gets one more value at most, and end of file after it. */
  readonly finished?: boolean;
}

/**
 * A read at offset 0 waits for the source's next text; later offsets are served from that text and end,
 * and where nothing was delivered yet they end at once. A text without final newline gets one; an empty
 * one is end of file. A client with `waitMs` waits no longer than that. An abort ends the wait with
 * InterruptedFileError and consumes nothing. Any number of handles and reads may wait side by side.
 */
export function wait<S>(about: string, cell: (s: S) => WaitSource): FileSpec<S> {
  return { kind: 'wait', mode: 0o444, about, bind: (s) => new WaitFile(() => cell(s)) };
}

class WaitFile implements FileBehaviour {
  private readonly deliveries = new WriteFacts();

  constructor(readonly source: () => WaitSource) {}

  get version(): number {
    return this.deliveries.version;
  }

  facts() {
    return this.deliveries.facts();
  }

  open(_access: unknown, client: Client): FileHandle {
    return new WaitHandle(this.source(), client, () => this.deliveries.touch());
  }
}

class WaitHandle implements FileHandle {
  private readonly delivered: Snapshot;
  private hadLast = false;

  constructor(
    private readonly source: WaitSource,
    private readonly client: Client,
    private readonly noteDelivery: () => void,
  ) {
    this.delivered = new Snapshot(async ({ signal }) => encode(withNewline(await this.next(signal))));
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    if (offset > 0 && !this.delivered.isLoaded) return EMPTY;
    return this.delivered.read(offset, count, waiter);
  }

  write(): never {
    throw new FileDeniedError();
  }

  close(): void {}

  private async next(signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw new InterruptedFileError();
    if (this.hadLast) return '';
    const text = await this.limited(signal);
    this.hadLast = this.source.finished === true;
    this.noteDelivery();
    return text;
  }

  private async limited(signal: AbortSignal): Promise<string> {
    const text = await limitedWait(this.client, signal, (limit) => this.source.next(this.client, limit));
    return text ?? this.source.current?.() ?? '';
  }
}
