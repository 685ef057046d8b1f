import type { Log } from '#config';
import { AppendFile } from './append-file.js';
import { StoreError } from './errors.js';
import type { FilePlace } from './file-place.js';
import type { OpenFiles } from './open-files.js';
import { OwedBytes } from './owed-bytes.js';

const TAIL_BYTES = 4096;
/** Of what is owed, so much is written at once. */
const OWED_PIECE = 64 * 1024;
/** So much may wait while it is held. */
const MAY_WAIT = 4096;
const NOTHING = new Uint8Array(0);

/**
 * The bytes of a log, kept in a file: they are there before `append` returns, so that an offset that a reader
 * has is right after a restart. While it is held they may come there later, some at a time: somebody else can tell what they
 * were. The last few are in memory too, until `rest`. Bytes that the disk does not take stay in memory, where readers
 * find them, and go to the file with the next that it takes.
 */
export class KeptBytes {
  private readonly file: AppendFile;
  /** A copy of the end of the file. Bytes once put there are never changed, so that slices can be given out. */
  private tail: Uint8Array = NOTHING;
  private tailUsed = 0;
  private readonly owed = new OwedBytes();
  /** The disk did not take them the last time. */
  private isRefused = false;
  private isHeld = false;

  constructor(
    place: FilePlace,
    files: OpenFiles,
    private readonly log: Log,
  ) {
    this.file = new AppendFile(place, files);
  }

  get path(): string {
    return this.file.path;
  }

  get length(): number {
    return this.file.length + this.owed.length;
  }

  /** When the file was last written to; undefined when it is not there. */
  get mtimeMs(): number | undefined {
    return this.file.mtimeMs;
  }

  append(bytes: Uint8Array): void {
    const canWait = this.isHeld && this.owed.length + bytes.length <= MAY_WAIT;
    if (canWait || !this.attempt(() => this.writeAll(bytes))) this.owed.push(bytes);
  }

  hold(): void {
    this.isHeld = true;
  }

  release(): void {
    this.isHeld = false;
    this.flush();
  }

  /** All that may have waited is in the file when this returns, if the disk takes it. */
  flush(): void {
    if (this.owed.length > 0) this.attempt(() => this.writeOwed());
  }

  /** At most `count` bytes from `offset`, perhaps fewer; none at the end. Throws StoreError. */
  slice(offset: number, count: number): Uint8Array {
    const inFile = this.file.length;
    if (offset >= inFile) return this.owed.slice(offset - inFile, count);
    const inTail = offset - (inFile - this.tailUsed);
    return inTail >= 0 ? this.tail.subarray(inTail, Math.min(inTail + count, this.tailUsed)) : this.file.slice(offset, count);
  }

  /** Lets go of the copy in memory. */
  rest(): void {
    this.flush();
    this.letGo();
  }

  private letGo(): void {
    this.tail = NOTHING;
    this.tailUsed = 0;
  }

  /** Counts only the first `length` bytes. */
  shorten(length: number): void {
    this.letGo();
    this.owed.clear();
    this.file.shorten(length);
  }

  /** False when the disk refuses, of which one hears once. */
  private attempt(work: () => void): boolean {
    try {
      work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!this.isRefused) this.log.error(`transcript kept in memory: ${error.message}`);
      this.isRefused = true;
      return false;
    }
    this.isRefused = false;
    return true;
  }

  private writeAll(bytes: Uint8Array): void {
    this.writeOwed();
    this.write(bytes);
  }

  private writeOwed(): void {
    while (this.owed.length > 0) {
      const piece = this.owed.slice(0, OWED_PIECE);
      this.write(piece);
      this.owed.drop(piece.length);
    }
  }

  private write(piece: Uint8Array): void {
    this.file.append(piece);
    if (piece.length > TAIL_BYTES) return this.letGo();
    if (this.tailUsed + piece.length > this.tail.length) {
      this.tail = new Uint8Array(TAIL_BYTES);
      this.tailUsed = 0;
    }
    this.tail.set(piece, this.tailUsed);
    this.tailUsed += piece.length;
  }
}
