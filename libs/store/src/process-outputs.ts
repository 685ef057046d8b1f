import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errnoOf } from '#config';
import { StoreError } from './errors.js';
import { type SnapshotDisk, snapshotDisk } from './snapshot-disk.js';

/** In the names of files that are being written by this server. */
const WRITING = `.${process.pid}-`;

/** What processes of one agent have put out, a file each: `<agent>.out/<number>`. Methods reject with StoreError. */
export class ProcessOutputs {
  private kept = 0;
  /** Of them `keepOnly` has not been told yet: whoever called `keep` is still to tell of them. */
  private readonly fresh = new Set<number>();
  /** The name of the directory itself outlives a loss of power. */
  private isNamed = false;

  constructor(
    private readonly directory: string,
    private readonly disk: Pick<SnapshotDisk, 'rename' | 'syncDirectory'> = snapshotDisk,
  ) {}

  /** Keeps the pieces, all or none, and gives how many bytes they are. They outlive a loss of power once this resolves. */
  async keep(number: number, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    const path = this.path(number);
    this.fresh.add(number);
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      const length = await this.writeFile(path, `${path}${WRITING}${(this.kept += 1)}.tmp`, pieces);
      await this.settleNames();
      return length;
    } catch (error) {
      throw errnoOf(error) === undefined ? error : new StoreError(path, error);
    }
  }

  /** The bytes of a range; fewer, or none, where there are no more. */
  async slice(number: number, { offset, count }: { readonly offset: number; readonly count: number }): Promise<Uint8Array> {
    const path = this.path(number);
    try {
      const file = await open(path, 'r');
      try {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(count), 0, count, offset);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    } catch (error) {
      throw new StoreError(path, error);
    }
  }

  /** Removes those of all other processes, and what an earlier server has left half written. What was kept since stays until a call names it. */
  async keepOnly(numbers: ReadonlySet<number>): Promise<void> {
    for (const number of numbers) this.fresh.delete(number);
    const isKept = (name: string): boolean => numbers.has(Number(name)) || this.fresh.has(Number(name)) || name.includes(WRITING);
    try {
      const names = await readdir(this.directory);
      for (const name of names) if (!isKept(name)) await rm(join(this.directory, name), { force: true });
    } catch (error) {
      if (errnoOf(error) !== 'ENOENT') throw new StoreError(this.directory, error);
    }
  }

  private async writeFile(path: string, temporary: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
    const file = await open(temporary, 'w', 0o600);
    try {
      const length = await writeAll(file, pieces);
      await this.disk.rename(temporary, path);
      return length;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  private async settleNames(): Promise<void> {
    await this.disk.syncDirectory(this.directory);
    if (!this.isNamed) await this.disk.syncDirectory(dirname(this.directory));
    this.isNamed = true;
  }

  private path(number: number): string {
    return join(this.directory, String(number));
  }
}

async function writeAll(file: FileHandle, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let length = 0;
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      length += piece.length;
    }
    await file.datasync();
    return length;
  } finally {
    await file.close();
  }
}
