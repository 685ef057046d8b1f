import { type AppendDisk, appendDisk } from './append-disk.js';
import { type BlobDisk, blobDisk } from './blob-disk.js';
import { type SnapshotDisk, snapshotDisk } from './snapshot-disk.js';

/** The file system as the files of agents use it. */
export interface StoreDisk extends AppendDisk, BlobDisk, SnapshotDisk {}

export const storeDisk: StoreDisk = { ...appendDisk, ...blobDisk, ...snapshotDisk };
