import { FileDeniedError, InterruptedFileError } from './errors.js';
import type { LineLog } from './line-log.js';
import type { Awaitable, Client, FileHandle, Waiter } from './types.js';
import { EMPTY, NEWLINE } from './utf8.js';

/** A line in place of what is gone: reading at `at` gives it, and behind it the log goes on at `next`. */
interface Gap {
  readonly at: number;
  readonly text: Uint8Array;
  readonly next: number;
}

/** One open of a LineLog. Where its reader has fallen behind what is kept, it reads one line that says so and goes on behind it. */
export class LineLogHandle implements FileHandle {
  private gap: Gap | undefined;
  /** What was given last ended within a line, there. */
  private tornAt: number | undefined;

  constructor(
    private readonly log: LineLog,
    private readonly client: Client,
    private readonly waits: boolean,
  ) {}

  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    const bytes = this.bytesAt(offset, count);
    if (bytes.length > 0 || count === 0 || !this.waits) return bytes;
    return this.whenThere(offset, count, waiter.signal);
  }

  write(): never {
    throw new FileDeniedError();
  }

  close(): void {}

  private bytesAt(offset: number, count: number): Uint8Array {
    const inGap = this.gap ? offset - this.gap.at : -1;
    if (this.gap && inGap >= 0 && inGap < this.gap.text.length) return this.gap.text.subarray(inGap, inGap + count);
    const place = this.gap && inGap >= 0 ? this.gap.next + inGap - this.gap.text.length : offset;
    if (place >= this.log.start && (place <= this.log.length || !this.waits)) return this.note(this.log.slice(place, count), offset);
    const text = this.gapText(place, offset);
    this.gap = { at: offset, text, next: this.log.start };
    return text.subarray(0, count);
  }

  private note(bytes: Uint8Array, offset: number): Uint8Array {
    if (bytes.length > 0) this.tornAt = bytes.at(-1) === NEWLINE ? undefined : offset + bytes.length;
    return bytes;
  }

  /** Offsets behind the end are those of another log that stood here before. */
  private gapText(place: number, offset: number): Uint8Array {
    const lost = place < this.log.start ? this.log.lostSince(place) : 0;
    const line = this.log.gapLine(lost, this.log.start);
    return Buffer.from(this.tornAt === offset ? `\n${line}` : line, 'utf8');
  }

  private async whenThere(offset: number, count: number, signal: AbortSignal): Promise<Uint8Array> {
    const { waitMs } = this.client;
    const limit = waitMs === undefined ? undefined : AbortSignal.timeout(waitMs);
    const either = limit ? AbortSignal.any([signal, limit]) : signal;
    for (;;) {
      try {
        await this.log.whenGrown(either);
      } catch (error) {
        if (error instanceof InterruptedFileError && limit?.aborted === true && !signal.aborted) return EMPTY;
        throw error;
      }
      const bytes = this.bytesAt(offset, count);
      if (bytes.length > 0) return bytes;
    }
  }
}
