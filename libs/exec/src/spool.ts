import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { FileError, type ByteSpill } from '#virtfs';

/**
 * A file without a name for the output of one process. It is made with the first bytes, nobody else can open it, and
 * it goes with this process, however that ends.
 */
export class Spool implements ByteSpill {
  private fd: number | undefined;
  private isClosed = false;

  /** `directory`: where the file is made; it must be out of the reach of tools. */
  constructor(private readonly directory: () => string) {}

  write(offset: number, bytes: Uint8Array): void {
    if (this.isClosed) throw gone();
    this.fd ??= openNameless(this.directory());
    for (let done = 0; done < bytes.length;) done += writeSync(this.fd, bytes, done, bytes.length - done, offset + done);
  }

  read(offset: number, count: number): Uint8Array {
    if (this.isClosed || this.fd === undefined) throw gone();
    const bytes = Buffer.allocUnsafe(count);
    return bytes.subarray(0, readSync(this.fd, bytes, 0, count, offset));
  }

  /** Gives up the file. Reads of what was in it fail. */
  close(): void {
    this.isClosed = true;
    if (this.fd !== undefined) closeSync(this.fd);
    this.fd = undefined;
  }
}

function gone(): FileError {
  return new FileError('i/o error: the output is no longer kept', 'EIO');
}

function openNameless(directory: string): number {
  const path = join(directory, randomUUID());
  const fd = openSync(path, 'wx+', 0o600);
  unlinkSync(path);
  return fd;
}
