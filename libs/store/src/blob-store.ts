import { createHash } from 'node:crypto';
import { readFileSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#config';
import { StoreError } from './errors.js';
import { makePrivateDirectory, replaceFile } from './private-file.js';

const HASH = /^[0-9a-f]{64}$/;

/** Large pieces of content, each kept once under the SHA-256 of its bytes: `ab/ab12...`. Throws StoreError. */
export class BlobStore {
  constructor(private readonly directory: string) {}

  /** Keeps the bytes and gives their name. Keeping them again makes them young. */
  put(bytes: Uint8Array): string {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const path = this.path(hash);
    try {
      if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) utimesSync(path, new Date(), new Date());
      else {
        makePrivateDirectory(dirname(path));
        replaceFile(path, bytes, true);
      }
      return hash;
    } catch (error) {
      throw new StoreError(`blob ${hash}`, error);
    }
  }

  /** Undefined for what is no longer there. */
  find(hash: string): Buffer | undefined {
    if (!HASH.test(hash)) return undefined;
    try {
      return readFileSync(this.path(hash));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw new StoreError(`blob ${hash}`, error);
    }
  }

  private path(hash: string): string {
    return join(this.directory, hash.slice(0, 2), hash);
  }
}
