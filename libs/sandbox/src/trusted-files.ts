import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errnoOf } from '#config';

/**
 * Which files of projects the user has looked at and trusts, by path and content: a changed file is a stranger again.
 * Kept in Ollie's data directory, which no tool can write.
 */
export class TrustedFiles {
  private readonly store: string;

  constructor(private readonly directory: string) {
    this.store = join(directory, 'trusted-files');
  }

  has(file: string, content: string): boolean {
    return this.lines().includes(lineOf(file, content));
  }

  /** The file as it is now. An older content of it is trusted no more. */
  add(file: string): void {
    const path = plainPathOf(file);
    this.write([...this.without(path), lineOf(path, readFileSync(path, 'utf8'))]);
  }

  remove(file: string): void {
    this.write(this.without(plainPathOf(file)));
  }

  private without(path: string): readonly string[] {
    return this.lines().filter((line) => line.slice(line.indexOf(' ') + 1) !== JSON.stringify(path));
  }

  private lines(): readonly string[] {
    try {
      return readFileSync(this.store, 'utf8')
        .split('\n')
        .filter((line) => line !== '');
    } catch (error) {
      if (errnoOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  private write(lines: readonly string[]): void {
    mkdirSync(this.directory, { recursive: true, mode: 0o700 });
    const next = `${this.store}.${process.pid}`;
    writeFileSync(next, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    renameSync(next, this.store);
  }
}

/** The directory without links; the file's own name is what it is trusted under. */
function plainPathOf(file: string): string {
  return join(realpathSync(dirname(resolve(file))), basename(file));
}

function lineOf(path: string, content: string): string {
  return `${createHash('sha256').update(content).digest('hex')} ${JSON.stringify(path)}`;
}
