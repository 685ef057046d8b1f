import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errnoOf } from '#config';

/** A file system in memory that a test can fill. Only root can mount one. */
export class SmallDisk {
  static readonly isPossible = process.getuid?.() === 0;
  readonly path = mkdtempSync(join(tmpdir(), 'ollie-full-'));

  constructor(size = '256k') {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.path]);
  }

  /** Leaves no room at all. */
  fill(): void {
    try {
      for (let part = 0; ; part += 1) writeFileSync(join(this.path, `fill${String(part)}`), Buffer.alloc(4096));
    } catch (error) {
      if (errnoOf(error) !== 'ENOSPC') throw error;
    }
  }

  /** Takes back what `fill` put there. */
  free(): void {
    execFileSync('sh', ['-c', `rm -f "$0"/fill*`, this.path]);
  }

  remove(): void {
    execFileSync('umount', ['-l', this.path]);
    rmSync(this.path, { recursive: true });
  }
}
