import { ByteChunks, LARGEST_CHUNK, type ByteSequence, type ByteSpill } from './byte-chunks.js';
import { LogRead, type LogReadSource } from './log-read.js';
import { LogReads } from './log-reads.js';
import type { Later, Waiter } from './types.js';
import { isContinuation, NEWLINE } from './utf8.js';

/**
 * An append-only log of bytes that wakes its readers. Any number may read while one appends: bytes once
 * given are never changed, so slices are handed out without a copy. A reader waits only at the end of a
 * held log, and never keeps an append waiting.
 */
export class ByteLog implements LogReadSource {
  private readonly chunks: ByteSequence;
  private readonly readers = new LogReads();
  private holds = 0;
  private changedMs: number | undefined;

  /** `kept`: what keeps the bytes, those that are there included, or where those go that are no longer needed in memory. */
  constructor(kept?: ByteSpill | ByteSequence) {
    this.chunks = kept && 'append' in kept ? kept : new ByteChunks(kept);
  }

  /** Bytes appended so far. */
  get length(): number {
    return this.chunks.length;
  }

  get version(): number {
    return this.chunks.length;
  }

  get mtimeMs(): number {
    return (this.changedMs ??= this.chunks.mtimeMs ?? Date.now());
  }

  append(content: string | Uint8Array): void {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    if (bytes.length === 0) return;
    this.chunks.append(bytes);
    this.changedMs = Date.now();
    this.readers.wake();
  }

  /** While held, a reader at the end waits; once released, it gets the end of file. Nested holds count. */
  hold(): void {
    this.holds++;
  }

  release(): void {
    if (this.holds === 0) throw new Error('virtfs: a log that nobody holds was released');
    if (--this.holds === 0) this.readers.wake();
  }

  /** At most `count` bytes from `offset`; empty at the end of a log that is not held. Rejects with InterruptedFileError on abort. */
  at(offset: number, count: number, waiter: Waiter): Uint8Array | Later<Uint8Array> {
    const now = this.take(offset, count);
    if (now) return now;
    const read = new LogRead(this, offset, count, waiter.source ?? waiter.signal);
    if (!read.isOver) this.readers.add(read);
    return read;
  }

  /** What a read gets now; undefined when it has to wait. */
  take(offset: number, count: number): Uint8Array | undefined {
    return offset < this.length || this.holds === 0 ? this.slice(offset, count) : undefined;
  }

  forget(read: LogRead): void {
    this.readers.remove(read);
  }

  /** At most `count` bytes that are there now; empty at the end. Never waits. */
  slice(offset: number, count: number): Uint8Array {
    return this.chunks.slice(offset, count);
  }

  /** Where the last `bytes` bytes begin, moved forward to the start of a line (of a character, when there is no later line). */
  tailStart(bytes: number): number {
    const start = Math.max(0, this.length - bytes);
    if (start === 0 || this.slice(start - 1, 1)[0] === NEWLINE) return start;
    const line = this.lineAfter(start);
    return line < this.length ? line : this.characterAt(start);
  }

  /** The text from `tailStart`. */
  tail(bytes: number): string {
    return this.copy(this.tailStart(bytes)).toString('utf8');
  }

  /** Where the line after the one at `start` begins; the end of the log if there is none. */
  private lineAfter(start: number): number {
    for (let at = start; at < this.length;) {
      const piece = this.slice(at, LARGEST_CHUNK);
      const newline = piece.indexOf(NEWLINE);
      if (newline !== -1) return at + newline + 1;
      at += piece.length;
    }
    return this.length;
  }

  private characterAt(start: number): number {
    let at = start;
    while (isContinuation(this.slice(at, 1)[0])) at++;
    return at;
  }

  private copy(start: number): Buffer {
    const pieces: Uint8Array[] = [];
    for (let at = start; at < this.length;) {
      const piece = this.slice(at, LARGEST_CHUNK);
      pieces.push(piece);
      at += piece.length;
    }
    return Buffer.concat(pieces);
  }
}
