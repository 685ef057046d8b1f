import type { Awaitable, Waiter } from './types.js';
import { EMPTY, isContinuation, NEWLINE } from './utf8.js';
import { Waiters } from './waiters.js';

const FIRST_CHUNK = 1024;
const LARGEST_CHUNK = 64 * 1024;

interface Chunk {
  readonly start: number;
  readonly bytes: Uint8Array;
}

/**
 * An append-only log of bytes that wakes its readers. Any number may read while one appends: bytes once
 * given are never changed, so slices are handed out without a copy. A reader waits only at the end of a
 * held log, and never keeps an append waiting.
 */
export class ByteLog {
  private readonly chunks: Chunk[] = [];
  private readonly readers = new Waiters<'more' | 'end'>();
  private size = 0;
  private holds = 0;
  private changedMs = Date.now();

  /** Bytes appended so far. */
  get length(): number {
    return this.size;
  }

  get version(): number {
    return this.size;
  }

  get mtimeMs(): number {
    return this.changedMs;
  }

  append(content: string | Uint8Array): void {
    let rest = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    if (rest.length === 0) return;
    while (rest.length > 0) rest = this.fill(rest);
    this.changedMs = Date.now();
    this.readers.wake('more');
  }

  /** While held, a reader at the end waits; once released, it gets the end of file. Nested holds count. */
  hold(): void {
    this.holds++;
  }

  release(): void {
    if (this.holds === 0) throw new Error('virtfs: a log that nobody holds was released');
    if (--this.holds === 0) this.readers.wake('end');
  }

  /** At most `count` bytes from `offset`; empty at the end of a log that is not held. Rejects with InterruptedFileError on abort. */
  at(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> {
    if (offset < this.size || this.holds === 0) return this.slice(offset, count);
    return this.whenThere(offset, count, waiter.signal);
  }

  /** At most `count` bytes that are there now; empty at the end. Never waits. */
  slice(offset: number, count: number): Uint8Array {
    if (offset >= this.size) return EMPTY;
    const chunk = this.chunkAt(offset);
    const from = offset - chunk.start;
    return chunk.bytes.subarray(from, Math.min(from + count, this.size - chunk.start));
  }

  /** Where the last `bytes` bytes begin, moved forward to the start of a line (of a character, when there is no later line). */
  tailStart(bytes: number): number {
    const start = Math.max(0, this.size - bytes);
    if (start === 0 || this.slice(start - 1, 1)[0] === NEWLINE) return start;
    const line = this.lineAfter(start);
    return line < this.size ? line : this.characterAt(start);
  }

  /** The text from `tailStart`. */
  tail(bytes: number): string {
    return this.copy(this.tailStart(bytes)).toString('utf8');
  }

  private async whenThere(offset: number, count: number, signal: AbortSignal): Promise<Uint8Array> {
    while (offset >= this.size && this.holds > 0) {
      // A release ends this read even if the log is held again before this line runs.
      if ((await this.readers.wait(signal)) === 'end') break;
    }
    return this.slice(offset, count);
  }

  /** Puts as much as fits into the last chunk and gives back the rest. */
  private fill(content: Uint8Array): Uint8Array {
    const chunk = this.roomyChunk();
    const used = this.size - chunk.start;
    const part = content.subarray(0, chunk.bytes.length - used);
    chunk.bytes.set(part, used);
    this.size += part.length;
    return content.subarray(part.length);
  }

  private roomyChunk(): Chunk {
    const last = this.chunks.at(-1);
    if (last && last.start + last.bytes.length > this.size) return last;
    const bytes = last ? Math.min(last.bytes.length * 2, LARGEST_CHUNK) : FIRST_CHUNK;
    const chunk = { start: this.size, bytes: new Uint8Array(bytes) };
    this.chunks.push(chunk);
    return chunk;
  }

  private chunkAt(offset: number): Chunk {
    let low = 0;
    let high = this.chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.chunks[middle]?.start ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    const chunk = this.chunks[low];
    if (!chunk) throw new Error('virtfs: a log was read before its first byte');
    return chunk;
  }

  /** Where the line after the one at `start` begins; the end of the log if there is none. */
  private lineAfter(start: number): number {
    for (let at = start; at < this.size;) {
      const piece = this.slice(at, LARGEST_CHUNK);
      const newline = piece.indexOf(NEWLINE);
      if (newline !== -1) return at + newline + 1;
      at += piece.length;
    }
    return this.size;
  }

  private characterAt(start: number): number {
    let at = start;
    while (isContinuation(this.slice(at, 1)[0])) at++;
    return at;
  }

  private copy(start: number): Buffer {
    const pieces: Uint8Array[] = [];
    for (let at = start; at < this.size;) {
      const piece = this.slice(at, LARGEST_CHUNK);
      pieces.push(piece);
      at += piece.length;
    }
    return Buffer.concat(pieces);
  }
}
