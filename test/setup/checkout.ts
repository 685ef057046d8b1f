import { chmodSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** Stands in for the bundler: notes that it ran. */
const BUNDLER = `
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('dist/bin', { recursive: true });
writeFileSync('dist/bin/.built', '');
appendFileSync('built.log', 'built\\n');
`;

/** A small checkout with the real set-up scripts, nothing to install and one C file to build. */
export class Checkout extends TempTree {
  constructor() {
    super({
      'package-lock.json': lockOf({}),
      'node_modules/.package-lock.json': lockOf({}),
      'tsconfig.json': '{}',
      'apps/a/src/main.ts': '',
      'libs/b/src/index.ts': '',
      'native/main.c': 'int main(void) { return 7; }\n',
      'show.mjs': "process.stdout.write(process.argv.slice(2).join(' ') + ' on ' + process.execPath + '\\n');\n",
    });
    for (const script of ['setup', 'setup-lock', 'install', 'native', 'pinned-node', 'quietly', 'stop', 'decorators'])
      cpSync(join(root, `scripts/${script}.mjs`), this.path(`scripts/${script}.mjs`), { recursive: true });
    this.add('scripts/bundle.mjs', BUNDLER);
  }

  /** `path` is PATH: the only programs there are. `preload` is code that runs before the set-up. */
  setup(args: readonly string[], { path = process.env.PATH ?? '', preload = '', env = {} }: SetupWorld = {}): Promise<Ended> {
    const flags = preload === '' ? [] : ['--require', this.add('preload.cjs', preload)];
    return run(process.execPath, [...flags, this.path('scripts/setup.mjs'), ...args], {
      cwd: this.root,
      env: { ...withoutNpm(process.env), PATH: path, ...env },
    });
  }

  /** A program in a folder that can serve as PATH. */
  addProgram(path: string, script: string): void {
    chmodSync(this.add(path, `#!/bin/sh\n${script}\n`), 0o755);
  }
}

interface SetupWorld {
  readonly path?: string;
  readonly preload?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export function lockOf(packages: Readonly<Record<string, object>>): string {
  return JSON.stringify({ name: 'ollie', lockfileVersion: 3, packages: { '': {}, ...packages } });
}

/** The suite itself may run below npm, whose settings would reach the npm of the set-up. */
function withoutNpm(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('npm_') && name !== 'CC'));
}
