import { AnswerCursor } from './answer-cursor.js';
import { uncancelled } from './awaitable.js';
import { commitsAt, MessageBuffer } from './message-buffer.js';
import { Snapshot } from './snapshot.js';
import type { Access, Awaitable, Call, Client, CloseReason, FileHandle, Waiter } from './types.js';

export interface TextSource {
  render(call: Call): Awaitable<Uint8Array>;
  write(value: string, call: Call): Promise<void>;
}

class HandleCall implements Call {
  constructor(
    readonly client: Client,
    private readonly waiter: Waiter,
  ) {}

  get signal(): AbortSignal {
    return this.waiter.signal;
  }
}

/** One open of a text file: its snapshot, and what was written and has not taken effect. */
export class TextHandle implements FileHandle {
  private readonly shown: Snapshot;
  private readonly cursor = new AnswerCursor();
  private written: MessageBuffer | undefined;

  constructor(
    private readonly file: TextSource,
    private readonly access: Access,
    private readonly client: Client,
  ) {
    this.shown = new Snapshot((waiter) => file.render(new HandleCall(client, waiter)));
  }

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    const place = this.cursor.locate(offset);
    if (!this.written) return this.shown.read(place, count, waiter);
    return this.commit(waiter.signal).then(() => this.shown.read(place, count, waiter));
  }

  write(offset: number, data: Uint8Array): void {
    if (data.length === 0) return;
    this.written ??= new MessageBuffer();
    this.cursor.wrote(offset, data.length);
    this.written.add(data);
  }

  async close(reason: CloseReason): Promise<void> {
    if (commitsAt(reason, this.access)) await this.commit(uncancelled());
  }

  private async commit(signal: AbortSignal): Promise<void> {
    const value = this.written?.text;
    this.written = undefined;
    if (value !== undefined) await this.file.write(value, { signal, client: this.client });
  }
}
