import { isClientError } from './errors.js';
import { EMPTY } from './utf8.js';

const FIRST_CHUNK = 1024;
export const LARGEST_CHUNK = 64 * 1024;

/** Where a long log keeps what is not its end. Both throw as the file system does, or a FileError. */
export interface ByteSpill {
  write(offset: number, bytes: Uint8Array): void;
  /** `count` bytes that were written. */
  read(offset: number, count: number): Uint8Array;
}

/** Bytes in a row that only grow. Those once given are never changed. */
export interface ByteSequence {
  readonly length: number;
  /** When they last grew, of bytes that were there before. */
  readonly mtimeMs?: number | undefined;
  append(bytes: Uint8Array): void;
  /** At most `count` bytes from `offset`, perhaps fewer; none at the end. */
  slice(offset: number, count: number): Uint8Array;
}

/** `bytes` undefined: they are in the spill. */
interface Chunk {
  readonly start: number;
  readonly length: number;
  readonly bytes: Uint8Array | undefined;
}

/**
 * Bytes in memory; slices are handed out without a copy.
 * With a spill only the last chunk stays in memory, and what the spill does not take.
 */
export class ByteChunks implements ByteSequence {
  private readonly full: Chunk[] = [];
  private tail = new Uint8Array(0);
  private tailStart = 0;
  private size = 0;

  constructor(private readonly spill: ByteSpill | undefined) {}

  get length(): number {
    return this.size;
  }

  append(content: Uint8Array): void {
    for (let rest = content; rest.length > 0;) rest = this.fill(rest);
  }

  /** At most `count` bytes from `offset`, fewer where a chunk ends; none at the end. */
  slice(offset: number, count: number): Uint8Array {
    if (offset >= this.size) return EMPTY;
    if (offset >= this.tailStart) return this.tail.subarray(offset - this.tailStart, Math.min(offset + count, this.size) - this.tailStart);
    const { start, length, bytes } = this.chunkAt(offset);
    const end = Math.min(offset + count, start + length);
    if (bytes) return bytes.subarray(offset - start, end - start);
    if (!this.spill) throw new Error('virtfs: a chunk without bytes');
    return this.spill.read(offset, end - offset);
  }

  /** Puts as much as fits into the last chunk and gives back the rest. */
  private fill(content: Uint8Array): Uint8Array {
    if (this.size === this.tailStart + this.tail.length) this.renew();
    const used = this.size - this.tailStart;
    const part = content.subarray(0, this.tail.length - used);
    this.tail.set(part, used);
    this.size += part.length;
    return content.subarray(part.length);
  }

  private renew(): void {
    const { length } = this.tail;
    if (length > 0) this.full.push({ start: this.tailStart, length, bytes: this.isSpilled() ? undefined : this.tail });
    this.tail = new Uint8Array(Math.max(FIRST_CHUNK, Math.min(length * 2, LARGEST_CHUNK)));
    this.tailStart = this.size;
  }

  /** False where the spill has no room: then the bytes stay here. */
  private isSpilled(): boolean {
    if (!this.spill) return false;
    try {
      this.spill.write(this.tailStart, this.tail);
      return true;
    } catch (error) {
      if (!isClientError(error) && !isSystemError(error)) throw error;
      return false;
    }
  }

  private chunkAt(offset: number): Chunk {
    let low = 0;
    let high = this.full.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.full[middle]?.start ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    const chunk = this.full[low];
    if (!chunk) throw new Error('virtfs: a log was read before its first byte');
    return chunk;
  }
}

function isSystemError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}
