import { createHash } from 'node:crypto';
import { readFileSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errnoOf } from '#config';
import { type BlobDisk, blobDisk } from './blob-disk.js';
import { StoreError } from './errors.js';
import { makePrivateDirectory, replaceFile } from './private-file.js';

const HASH = /^[0-9a-f]{64}$/;

/** Large pieces of content, each kept once under the SHA-256 of its bytes: `ab/ab12...`. Throws StoreError. */
export class BlobStore {
  /** Paths of files that a loss of power may take. */
  private readonly unsynced = new Set<string>();

  constructor(
    private readonly directory: string,
    private readonly disk: BlobDisk = blobDisk,
  ) {}

  /** Keeps the bytes and gives their name: the file is there when this returns, and outlives a loss of power after `sync`. Keeping them again makes them young. */
  put(bytes: Uint8Array): string {
    const hash = hashOf(bytes);
    const path = this.path(hash);
    try {
      if (this.find(hash)) utimesSync(path, new Date(), new Date());
      else {
        makePrivateDirectory(dirname(path));
        replaceFile(path, bytes, false);
        this.unsynced.add(path);
      }
      return hash;
    } catch (error) {
      throw new StoreError(`blob ${hash}`, error);
    }
  }

  /** Undefined for what is no longer there, or not whole. */
  find(hash: string): Buffer | undefined {
    if (!HASH.test(hash)) return undefined;
    try {
      const bytes = readFileSync(this.path(hash));
      return hashOf(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw new StoreError(`blob ${hash}`, error);
    }
  }

  /** What was put before outlives a loss of power when this resolves. */
  async sync(): Promise<void> {
    await Promise.all([...this.unsynced].map((path) => this.syncOne(path)));
  }

  /** The same, when this returns. */
  syncNow(): void {
    for (const path of this.unsynced) {
      this.disk.syncNow(path);
      this.unsynced.delete(path);
    }
  }

  private async syncOne(path: string): Promise<void> {
    try {
      await this.disk.sync(path);
    } catch (error) {
      throw new StoreError(path, error);
    }
    this.unsynced.delete(path);
  }

  private path(hash: string): string {
    return join(this.directory, hash.slice(0, 2), hash);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
