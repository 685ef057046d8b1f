import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const olliesrv = join(root, 'bin/olliesrv');

describe('a server whose socket is occupied', () => {
  let tree: TempTree;
  let env: NodeJS.ProcessEnv;
  let owner: ChildProcess;
  let ended: Promise<unknown>;

  beforeEach(async () => {
    tree = new TempTree();
    mkdirSync(tree.path('ns'), { mode: 0o700 });
    env = { PATH: process.env.PATH, HOME: tree.root, NAMESPACE: tree.path('ns') };
    const child = spawn(olliesrv, ['serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    [owner, ended] = [child, once(child, 'close')];
    await once(child.stdout, 'data');
  });
  afterEach(async () => {
    owner.kill('SIGTERM');
    await ended;
    tree.remove();
  });

  it('says in one sentence who has it and what to do, and leaves the other alone', async () => {
    const { code, stderr } = await run(olliesrv, ['serve'], { env });
    expect(stderr).toMatch(/^olliesrv: .*unix!.*\/ns\/ollie.*olliesrv stop.*\n$/);
    expect(code).toBe(1);
    expect((await run(join(root, 'bin/ollie-9p'), ['ls'], { env })).code).toBe(0);
  });
});
