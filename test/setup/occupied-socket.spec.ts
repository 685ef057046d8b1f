import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

describe('a server whose socket is occupied', () => {
  it('says in one sentence who has it and what to do, and leaves the other alone', async () => {
    const tree = new TempTree();
    mkdirSync(tree.path('ns'), { mode: 0o700 });
    const env = { PATH: process.env.PATH, HOME: tree.root, NAMESPACE: tree.path('ns') };
    const first = spawn(join(root, 'bin/olliesrv'), ['serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(first.stdout, 'data');
    const second = await run(join(root, 'bin/olliesrv'), ['serve'], { env });
    expect(second.stderr).toMatch(/^olliesrv: .*unix!.*\/ns\/ollie.*olliesrv stop.*\n$/);
    expect(second.code).toBe(1);
    expect((await run(join(root, 'bin/ollie-9p'), ['ls'], { env })).code).toBe(0);
    first.kill('SIGTERM');
    expect(await once(first, 'close')).toEqual([0, null]);
    tree.remove();
  });
});
