import { readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { errnoOf } from '#config';
import { writeWhole } from './append-disk.js';
import { StoreError } from './errors.js';
import { type FilePlace, pathOf } from './file-place.js';
import type { OpenFiles } from './open-files.js';

/** A file that only grows at its end. It holds no descriptor and no bytes; there must be one of it a path. */
export class AppendFile {
  private end: number | undefined;
  /** Kept from the first append on: putting it together would cost as much as the write. */
  private madePath: string | undefined;
  /** There may be bytes behind `end` that do not count. */
  private isTorn = false;

  constructor(
    private readonly place: FilePlace,
    private readonly files: OpenFiles,
  ) {}

  get path(): string {
    return this.madePath ?? pathOf(this.place);
  }

  /** Bytes that count; 0 for a file that is not there. */
  get length(): number {
    return (this.end ??= statSync(this.path, { throwIfNoEntry: false })?.size ?? 0);
  }

  get mtimeMs(): number | undefined {
    return statSync(this.path, { throwIfNoEntry: false })?.mtimeMs;
  }

  /** All of the bytes are in the file, or StoreError is thrown and none of them counts. */
  append(bytes: Uint8Array): void {
    const at = this.length;
    try {
      this.madePath ??= pathOf(this.place);
      const fd = this.files.writable(this.madePath);
      if (this.isTorn) this.files.disk.truncate(fd, at);
      this.isTorn = true;
      writeWhole(this.files.disk, fd, bytes, at);
    } catch (error) {
      this.takeBack(at);
      throw new StoreError(basename(this.path), error);
    }
    this.isTorn = false;
    this.end = at + bytes.length;
  }

  /** At most `count` bytes from `offset`. Throws StoreError. */
  slice(offset: number, count: number): Uint8Array {
    const there = Math.min(count, this.length - offset);
    if (there <= 0) return new Uint8Array(0);
    try {
      const fd = this.files.readable(this.path);
      if (fd === undefined) throw new Error('the file is gone');
      const bytes = Buffer.allocUnsafe(there);
      return bytes.subarray(0, readSync(fd, bytes, 0, there, offset));
    } catch (error) {
      throw new StoreError(basename(this.path), error);
    }
  }

  /** Counts only the first `length` bytes; what is behind them goes with the next append, and not before. */
  shorten(length: number): void {
    this.end = length;
    this.isTorn = true;
  }

  /** The file was replaced by one of this length. */
  renewed(length: number): void {
    this.files.close(this.path);
    this.end = length;
    this.isTorn = false;
  }

  /** Frees the room that a failed write may hold; where that fails too, the next append tries again. */
  private takeBack(at: number): void {
    if (!this.isTorn) return;
    try {
      this.files.disk.truncate(this.files.writable(this.path), at);
      this.isTorn = false;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error; // else it stays torn, and who wrote hears of the write's own error
    }
  }
}
