import type { Awaitable } from './types.js';
import { characterStart, EMPTY, NEWLINE } from './utf8.js';
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
  at(offset: number, count: number, signal: AbortSignal): Awaitable<Uint8Array> {
    if (offset < this.size || this.holds === 0) return this.slice(offset, count);
    return this.whenThere(offset, count, signal);
  }

  /** At most `count` bytes that are there now; empty at the end. Never waits. */
  slice(offset: number, count: number): Uint8Array {
    if (offset >= this.size) return EMPTY;
    const chunk = this.chunkAt(offset);
    const from = offset - chunk.start;
    return chunk.bytes.subarray(from, Math.min(from + count, this.size - chunk.start));
  }

  /** The last `bytes` bytes, cut forward to the start of a line (of a character, when there is no later line). */
  tail(bytes: number): string {
    const start = Math.max(0, this.size - bytes);
    const tail = this.copy(start);
    if (start === 0 || this.slice(start - 1, 1)[0] === NEWLINE) return tail.toString('utf8');
    const line = tail.indexOf(NEWLINE) + 1;
    const cut = line > 0 && line < tail.length ? line : characterStart(tail, 0);
    return tail.toString('utf8', cut);
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
