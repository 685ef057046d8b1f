import { open, rename, rm } from 'node:fs/promises';
import { syncDirectory } from './private-file.js';

/** What writing a snapshot asks of the file system. All fail as the file system does. */
export interface SnapshotDisk {
  /** Makes or replaces a file; it outlives a loss of power once this resolves. */
  write(path: string, text: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** What was renamed in a directory outlives a loss of power. */
  syncDirectory(path: string): Promise<void>;
  /** The same, when this returns. */
  syncDirectoryNow(path: string): void;
  /** A file that is not there is none to remove. */
  remove(path: string): Promise<void>;
}

export const snapshotDisk: SnapshotDisk = {
  write: async (path, text) => {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
  },
  rename,
  syncDirectory: async (path) => {
    const directory = await open(path, 'r');
    try {
      await directory.sync();
    } finally {
      await directory.close();
    }
  },
  syncDirectoryNow: syncDirectory,
  remove: (path) => rm(path, { force: true }),
};
