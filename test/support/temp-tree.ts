import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of its own with these files, removed by `remove`. */
export class TempTree {
  readonly root = mkdtempSync(join(tmpdir(), 'ollie-test-'));

  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const [path, content] of Object.entries(files)) this.add(path, content);
  }

  add(path: string, content: string, mode = 0o644): string {
    const file = this.path(path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content, { mode });
    return file;
  }

  path(path: string): string {
    return join(this.root, path);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
