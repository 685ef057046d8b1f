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

  /** `keep` has each new value before anybody else; what it throws refuses that one. */
  constructor(private readonly keep: (bytes: Uint8Array) => void = () => undefined) {}

  /** Keeps `bytes` as they are. True when they differ from what was there. */
  set(bytes: Uint8Array): boolean {
    const digest = digestOf(bytes);
    if (this.isOver || digest === this.digest) return false;
    this.keep(bytes);
    this.take(bytes, digest);
    return true;
  }

  /** Puts back what was kept. */
  restore(bytes: Uint8Array): void {
    this.take(bytes, digestOf(bytes));
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

  private take(bytes: Uint8Array, digest: string): void {
    this.bytes = bytes;
    this.digest = digest;
    this.changes.wake();
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64');
}
