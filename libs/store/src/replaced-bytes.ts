import { readFileSync } from 'node:fs';
import { errnoOf } from '#config';
import { StoreError } from './errors.js';
import { type FilePlace, pathOf } from './file-place.js';
import { replaceFile } from './private-file.js';

/** A value of which only the newest is kept, in a file of its own. Throws StoreError. */
export class ReplacedBytes {
  constructor(private readonly place: FilePlace) {}

  /** Undefined where there never was one. */
  read(): Uint8Array | undefined {
    try {
      return readFileSync(pathOf(this.place));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw new StoreError(pathOf(this.place), error);
    }
  }

  /** The file has all of the bytes when this returns, or what it had before. */
  replace(bytes: Uint8Array): void {
    try {
      replaceFile(pathOf(this.place), bytes, false);
    } catch (error) {
      throw new StoreError(pathOf(this.place), error);
    }
  }
}
