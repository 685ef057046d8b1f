import { ftruncateSync, writeSync } from 'node:fs';

/** What appending asks of the file system. Both throw as it does. */
export interface AppendDisk {
  /** Gives how many of the bytes were written. */
  writeAt(fd: number, bytes: Uint8Array, offset: number): number;
  truncate(fd: number, length: number): void;
}

export const appendDisk: AppendDisk = {
  writeAt: (fd, bytes, offset) => writeSync(fd, bytes, 0, bytes.length, offset),
  truncate: ftruncateSync,
};

/** Writes all of `bytes`. Throws as the disk does; a part may have been written then. */
export function writeWhole(disk: AppendDisk, fd: number, bytes: Uint8Array, offset: number): void {
  for (let done = 0; done < bytes.length;) done += disk.writeAt(fd, bytes.subarray(done), offset + done);
}
