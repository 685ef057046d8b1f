import { ByteLog } from '#virtfs';
import { clipped } from './clip.js';
import type { Spool } from './spool.js';

const MAX_KEPT_BYTES = 10 * 1024 * 1024;
/** What a model gets to see of one result. */
export const MAX_MODEL_BYTES = 32 * 1024;
const NEWLINE = 0x0a;

/**
 * The output of a process: its first 10 MiB as a log that can be read while it grows, on disk as far as it is
 * long, and the last bytes however long it gets. Bytes are bytes; they become text only where a model reads them.
 */
export class OutputBuffer {
  readonly log: ByteLog;
  private written = 0;
  private last = Buffer.alloc(0);

  constructor(private readonly spool?: Spool) {
    this.log = new ByteLog(spool);
  }

  /** All bytes that the process wrote, dropped ones included. */
  get total(): number {
    return this.written;
  }

  get isTruncated(): boolean {
    return this.written > MAX_KEPT_BYTES;
  }

  append(chunk: Uint8Array): void {
    const room = MAX_KEPT_BYTES - this.written;
    const endsLine = this.last.at(-1) === NEWLINE;
    this.written += chunk.length;
    this.keepLast(chunk);
    if (room > 0) this.log.append(chunk.length > room ? chunk.subarray(0, room) : chunk);
    if (room >= 0 && chunk.length > room) this.log.append(marker(room > 0 ? chunk[room - 1] === NEWLINE : endsLine));
  }

  /** Gives up what is kept on disk: reads of it fail from now on. */
  close(): void {
    this.spool?.close();
  }

  /** The text for a model in at most `maxBytes`: all of it, or its start and its end around a note. `name` is where the rest is. */
  modelText(maxBytes: number, name: string): string {
    if (this.written <= maxBytes) {
      const text = this.firstBytes(this.written).toString('utf8');
      if (Buffer.byteLength(text) <= maxBytes) return text;
    }
    return clipped({ head: this.firstBytes(maxBytes), tail: this.last, total: this.written }, maxBytes, this.restIn(name));
  }

  /** The first `count` bytes, fewer when there are not so many. */
  firstBytes(count: number): Buffer {
    const parts: Uint8Array[] = [];
    for (let at = 0; at < count;) {
      const part = this.log.slice(at, count - at);
      if (part.length === 0) break;
      parts.push(part);
      at += part.length;
    }
    return Buffer.concat(parts);
  }

  private restIn(name: string): string {
    return this.isTruncated ? `${name} has the first ${MAX_KEPT_BYTES}` : `${name} has all`;
  }

  private keepLast(chunk: Uint8Array): void {
    const end = chunk.subarray(-MAX_MODEL_BYTES);
    const kept = Math.max(0, Math.min(this.last.length, MAX_MODEL_BYTES - end.length));
    this.last = Buffer.concat([this.last.subarray(this.last.length - kept), end]);
  }
}

function marker(afterLineEnd: boolean): string {
  return `${afterLineEnd ? '' : '\n'}[output truncated at ${MAX_KEPT_BYTES} bytes]\n`;
}
