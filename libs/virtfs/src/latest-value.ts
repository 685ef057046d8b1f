import { createHash } from 'node:crypto';
import { remember } from './remember.js';
import type { Client } from './types.js';
import { EMPTY } from './utf8.js';
import { Waiters } from './waiters.js';

/**
 * Bytes of which only the newest count. Each client (by tag) is given a value when its SHA-256 is not that of the last one it
 * was given; a first look gives what is there. The digests of 1,024 clients are kept, the one unused for longest goes first.
 */
export class LatestValue {
  private readonly given = new Map<string, string>();
  private readonly changes = new Waiters<void>();
  private bytes: Uint8Array | undefined;
  private digest = '';
  private isOver = false;

  /** Keeps `bytes` as they are. True when they differ from what was there. */
  set(bytes: Uint8Array): boolean {
    const digest = createHash('sha256').update(bytes).digest('base64');
    if (this.isOver || digest === this.digest) return false;
    this.bytes = bytes;
    this.digest = digest;
    this.changes.wake();
    return true;
  }

  /** From now on `next` gives nothing, at once. */
  finish(): void {
    this.isOver = true;
    this.changes.wake();
  }

  /** The newest value once this client has not had it; empty after `finish`. Rejects with InterruptedFileError on abort. */
  async next({ tag }: Client, signal: AbortSignal): Promise<Uint8Array> {
    while (!this.isOver && (this.bytes === undefined || this.given.get(tag) === this.digest)) await this.changes.wait(signal);
    if (this.isOver || this.bytes === undefined) return EMPTY;
    remember(this.given, tag, this.digest);
    return this.bytes;
  }
}
