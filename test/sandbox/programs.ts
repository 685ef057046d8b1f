import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';

/** Compiles test/sandbox/fixtures/NAME.c, or all of fixtures/NAME/, into a directory; gives the program's path. */
export function compileFixture(name: string, directory: string): string {
  const program = join(directory, name);
  const { status, stderr } = spawnSync('cc', ['-O1', '-o', program, ...sourcesOf(name)], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return program;
}

function sourcesOf(name: string): readonly string[] {
  const folder = join(packageRoot(), 'test/sandbox/fixtures', name);
  if (!existsSync(folder)) return [`${folder}.c`];
  const files = readdirSync(folder).filter((file) => file.endsWith('.c'));
  return files.map((file) => join(folder, file));
}

/** Programs that are compiled once and used in many worlds. */
export class Programs {
  private readonly root = mkdtempSync('/tmp/ollie-programs-');

  constructor(names: readonly string[]) {
    chmodSync(this.root, 0o755);
    for (const name of names) compileFixture(name, this.root);
  }

  path(name: string): string {
    return join(this.root, name);
  }

  /** Puts one where a world's tools may run it. */
  copy(name: string, directory: string): string {
    const program = join(directory, name);
    copyFileSync(this.path(name), program);
    return program;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
