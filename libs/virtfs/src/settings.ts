import { AnswerCursor } from './answer-cursor.js';
import { after, uncancelled } from './awaitable.js';
import { isClientError, TooLongError } from './errors.js';
import { LineBuffer, MAY_GO_ON } from './line-buffer.js';
import { text } from './text.js';
import type {
  Access,
  Awaitable,
  Later,
  Call,
  Client,
  CloseReason,
  FileBehaviour,
  FileFacts,
  FileHandle,
  FileSpec,
  Waiter,
} from './types.js';

const MAX_LINE = 64 * 1024;

export interface SettingsRow<S> {
  readonly read: (s: S, call: Call) => string;
  /** All of the lines take effect, or it throws and none does. */
  readonly apply: (s: S, lines: readonly string[], call: Call) => Awaitable<void>;
  readonly mode?: number;
}

/**
 * Text that is rendered at each read at offset 0, and changed by lines: those of one write take effect together before it returns,
 * or it fails and none has. A piece without newline is a line unless it may go on (a write of 4096 bytes or
 * more): then a later write, a read or a clunk ends it. Blank lines mean nothing. Handles are independent.
 */
export function settings<S>(about: string, row: SettingsRow<S>): FileSpec<S> {
  const shown = text<S>(about, row.read);
  const apply = (s: S) => (lines: readonly string[], call: Call) => row.apply(s, lines, call);
  return { kind: 'settings', mode: row.mode ?? 0o664, about, bind: (s) => new SettingsFile(shown.bind(s), apply(s)) };
}

type Apply = (lines: readonly string[], call: Call) => Awaitable<void>;

class SettingsFile implements FileBehaviour {
  private muid = '';

  constructor(
    private readonly shown: FileBehaviour,
    private readonly take: Apply,
  ) {}

  get version(): number {
    return this.shown.version;
  }

  facts(): Awaitable<FileFacts> {
    const { muid } = this;
    return muid === '' ? this.shown.facts() : after(this.shown.facts(), (facts) => ({ ...facts, muid }));
  }

  async open(access: Access, client: Client): Promise<FileHandle> {
    const shown = await this.shown.open({ ...access, write: false, truncate: false }, client);
    return access.write ? new SettingsHandle(shown, client, (lines, call) => this.apply(lines, call)) : shown;
  }

  private async apply(lines: readonly string[], call: Call): Promise<void> {
    await this.take(lines, call);
    this.muid = call.client.uname;
  }
}

class SettingsHandle implements FileHandle {
  private readonly lines = new LineBuffer(MAX_LINE);
  private readonly cursor = new AnswerCursor();

  constructor(
    private readonly shown: FileHandle,
    private readonly client: Client,
    private readonly apply: Apply,
  ) {}

  async write(offset: number, data: Uint8Array, { signal }: Waiter): Promise<void> {
    if (data.length === 0) return;
    this.cursor.wrote(offset, data.length);
    const lines = this.lines.push(data);
    if (data.length < MAY_GO_ON && this.lines.pending > 0) lines.push(this.lines.take());
    try {
      await this.run(lines, signal);
    } catch (error) {
      this.cursor.refuse(offset);
      throw error;
    }
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> | Later<Uint8Array> {
    const place = this.cursor.locate(offset);
    const show = () => this.shown.read(place, count, waiter);
    if (this.lines.pending === 0) return show();
    return this.run([this.lines.take()], waiter.signal).catch(onlyClientErrors).then(show);
  }

  async close(reason: CloseReason): Promise<void> {
    // What a broken connection left without its newline may be half a line.
    if (reason === 'clunk' && this.lines.pending > 0) await this.run([this.lines.take()], uncancelled());
    await this.shown.close(reason);
  }

  private async run(lines: readonly (string | undefined)[], signal: AbortSignal): Promise<void> {
    const whole = lines.filter((line) => line !== undefined);
    if (whole.length < lines.length || this.lines.isTooLong) throw new TooLongError();
    const meant = whole.filter((line) => line.trim() !== '');
    if (meant.length > 0) await this.apply(meant, { signal, client: this.client });
  }
}

/** What a reader sees is the settings as they are. */
function onlyClientErrors(error: unknown): void {
  if (!isClientError(error)) throw error;
}
