import { closeSync, constants, openSync } from 'node:fs';
import { errnoOf } from '#config';
import { type AppendDisk, appendDisk } from './append-disk.js';

const MOST = 512;
const IDLE_MS = 2_000;

interface OpenFile {
  readonly fd: number;
  usedMs: number;
}

/** Descriptors of files while they are in use: those unused for longest are closed, and all after two idle seconds. */
export class OpenFiles {
  private readonly files = new Map<string, OpenFile>();
  private timer: NodeJS.Timeout | undefined;

  /** `disk`: what is written with the descriptors. */
  constructor(readonly disk: AppendDisk = appendDisk) {}

  /** A descriptor for this moment only, for reading and writing; makes the file. Throws as the file system does. */
  writable(path: string): number {
    return this.use(path) ?? this.add(path, openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600));
  }

  /** The same without making the file; undefined when it is not there. */
  readable(path: string): number | undefined {
    const fd = this.use(path);
    if (fd !== undefined) return fd;
    try {
      return this.add(path, openSync(path, 'r+'));
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** What comes after opens the file anew. */
  close(path: string): void {
    const file = this.files.get(path);
    this.files.delete(path);
    if (file) closeSync(file.fd);
  }

  closeAll(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const path of this.files.keys()) this.close(path);
  }

  private use(path: string): number | undefined {
    const file = this.files.get(path);
    if (!file) return undefined;
    file.usedMs = Date.now();
    return file.fd;
  }

  private add(path: string, fd: number): number {
    if (this.files.size >= MOST) this.closeOldest();
    this.files.set(path, { fd, usedMs: Date.now() });
    this.timer ??= setTimeout(() => this.closeIdle(), IDLE_MS).unref();
    return fd;
  }

  private closeOldest(): void {
    let oldest: string | undefined;
    let leastMs = Infinity;
    for (const [path, { usedMs }] of this.files) {
      if (usedMs < leastMs) [oldest, leastMs] = [path, usedMs];
    }
    if (oldest !== undefined) this.close(oldest);
  }

  private closeIdle(): void {
    const limit = Date.now() - IDLE_MS;
    for (const [path, { usedMs }] of this.files) if (usedMs <= limit) this.close(path);
    this.timer = this.files.size === 0 ? undefined : setTimeout(() => this.closeIdle(), IDLE_MS).unref();
  }
}
