import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The one folder that a demo writes to. */
export class Workspace {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-demo-')));
  /** What the agent works on. */
  readonly project = join(this.root, 'project');
  /** The same as it was, to compare with. */
  readonly original = join(this.root, 'original');
  readonly namespace = this.folder('ns');
  readonly home = this.folder('home');
  readonly runtime = this.folder('run');
  readonly temporary = this.folder('tmp');

  constructor(template: string) {
    for (const copy of [this.project, this.original]) cpSync(template, copy, { recursive: true });
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true, maxRetries: 3 });
  }

  private folder(name: string): string {
    const path = join(this.root, name);
    mkdirSync(path, { mode: 0o700 });
    return path;
  }
}
