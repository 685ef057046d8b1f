import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf } from '#config';

/** What keeping blobs asks of the file system. Both fail as it does; a file that is gone needs nothing. */
export interface BlobDisk {
  /** The file and its name outlive a loss of power once this resolves. */
  sync(path: string): Promise<void>;
  /** The same, when this returns. */
  syncNow(path: string): void;
}

export const blobDisk: BlobDisk = {
  sync: async (path) => {
    for (const one of [path, dirname(path)]) await syncIfThere(one);
  },
  syncNow: (path) => {
    for (const one of [path, dirname(path)]) syncNowIfThere(one);
  },
};

async function syncIfThere(path: string): Promise<void> {
  try {
    const file = await open(path, 'r');
    try {
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function syncNowIfThere(path: string): void {
  try {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}
