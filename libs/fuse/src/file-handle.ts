import { openMode, type Awaitable, type OpenFile, type OpenMode, type ServedNode } from '#ninep';
import { FuseError } from './errors.js';

/** What is read; `length` is what the kernel takes for the length of the file. */
export interface Range {
  readonly offset: number;
  readonly count: number;
  readonly length: number;
}

const ACCESS_BITS = 3;
const NOTHING = new Uint8Array();

/** How a file was opened. */
export interface Opening {
  readonly node: ServedNode;
  /** The 9P mode, as it was opened. */
  readonly mode: OpenMode;
  /** The kernel gives no position: each read and write goes on where the last one ended. */
  readonly isStream: boolean;
  /** Writes go to the end of the file, wherever the kernel thinks that is. */
  readonly isAppend: boolean;
}

/**
 * One open of one file. The kernel writes one request after the other; reads may overlap with anything.
 * On a stream a write puts the next read at the beginning of the answer.
 */
export class FileHandle {
  /** Undefined after a commit: what comes then opens the file anew. */
  #file: Awaitable<OpenFile> | undefined;
  #readAt = 0;
  #writeAt = 0;
  /** Whether something was written that takes effect at the close. */
  #isPending = false;
  #busy = 0;

  constructor(
    private readonly opening: Opening,
    file: OpenFile,
  ) {
    this.#file = file;
  }

  get mayWrite(): boolean {
    return (this.opening.mode & ACCESS_BITS) !== openMode.read;
  }

  async read(range: Range, signal: AbortSignal): Promise<Uint8Array> {
    const { offset, count } = range;
    if (offset > Number.MAX_SAFE_INTEGER) return NOTHING;
    this.#isPending = false;
    return this.#use(async (file) => {
      if (!this.opening.isStream) return readAll(file, range, signal);
      const data = await file.read(this.#readAt, count, { signal });
      this.#readAt += data.length;
      return data;
    });
  }

  async write(offset: number, data: Uint8Array, signal: AbortSignal): Promise<void> {
    if (data.length === 0) return;
    await this.#use(async (file) => {
      const at = await this.#placeOf(offset);
      if (at + data.length > Number.MAX_SAFE_INTEGER) throw new FuseError('EFBIG');
      this.#readAt = 0; // a refused write has an answer, too
      await file.write(at, data, { signal });
      this.#writeAt = at + data.length;
      this.#isPending = true;
    });
  }

  /** True when a commit would do something, and nobody is at work on the handle. */
  get canCommit(): boolean {
    return this.#isPending && this.#busy === 0;
  }

  /** Closes the file, so that what was written takes effect, and rejects if it cannot. Later writes are an open of their own. */
  async commit(): Promise<void> {
    const file = await this.#file;
    this.#file = undefined;
    this.#isPending = false;
    this.#readAt = this.#writeAt = 0;
    await file?.close('clunk');
  }

  async close(reason: 'clunk' | 'hangup'): Promise<void> {
    const file = await this.#file;
    this.#file = undefined;
    await file?.close(reason);
  }

  #placeOf(offset: number): Awaitable<number> {
    const { isStream, isAppend, node } = this.opening;
    if (isStream) return this.#writeAt;
    return isAppend ? lengthOf(node) : offset;
  }

  async #use<T>(work: (file: OpenFile) => Promise<T>): Promise<T> {
    this.#busy++;
    try {
      this.#file ??= this.opening.node.open(this.opening.mode & ~openMode.truncate);
      return await work(await this.#file);
    } finally {
      this.#busy--;
    }
  }
}

async function lengthOf(node: ServedNode): Promise<number> {
  return (await node.stat()).length;
}

/**
 * A tree may give less than was asked for, but to the kernel, which fills pages of a mapped file, a short
 * answer is the end of the file. So what lies before the length that it knows of, and is there, is read on.
 */
async function readAll(file: OpenFile, { offset, count, length }: Range, signal: AbortSignal): Promise<Uint8Array> {
  const first = await file.read(offset, count, { signal });
  const wanted = Math.min(count, length - offset);
  if (first.length === 0 || first.length >= wanted) return first;
  const pieces = [Buffer.from(first)];
  for (let got = first.length; got < wanted;) {
    const piece = await file.read(offset + got, count - got, { signal });
    if (piece.length === 0) break;
    pieces.push(Buffer.from(piece));
    got += piece.length;
  }
  return Buffer.concat(pieces);
}
