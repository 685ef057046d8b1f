import { AnswerCursor } from './answer-cursor.js';
import { uncancelled } from './awaitable.js';
import { commitsAt, MessageBuffer } from './message-buffer.js';
import { Snapshot } from './snapshot.js';
import type { Access, Awaitable, Call, Client, CloseReason, FileHandle } from './types.js';

export interface TextSource {
  render(call: Call): Awaitable<Uint8Array>;
  write(value: string, call: Call): Promise<void>;
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
    this.shown = new Snapshot((signal) => file.render({ signal, client }));
  }

  read(offset: number, count: number, signal: AbortSignal): Awaitable<Uint8Array> {
    const place = this.cursor.locate(offset);
    if (!this.written) return this.shown.read(place, count, signal);
    return this.commit(signal).then(() => this.shown.read(place, count, signal));
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
