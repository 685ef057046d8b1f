import { cpSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** The Node that a user without the pinned one would run on; on a machine without another Node, the one of this run. */
function systemNode(): string {
  const folders = (process.env.PATH ?? '').split(':').concat('/usr/local/bin', '/usr/bin');
  const others = folders
    .map((folder) => join(folder, 'node'))
    .filter((node) => existsSync(node) && !realpathSync(node).includes('/node_modules/'));
  return others[0] ?? process.execPath;
}

describe("the programs on the system's Node", () => {
  it('carry the demo through, servers and sandbox included, without node_modules in reach', async () => {
    const tree = new TempTree();
    for (const folder of ['home', 'tmp']) mkdirSync(tree.path(folder));
    for (const path of ['package.json', 'bin', 'dist/bin', 'config', 'examples', 'native/build'])
      cpSync(join(root, path), tree.path(`inst/${path}`), { recursive: true });
    const env = { PATH: '/usr/bin:/bin', HOME: tree.path('home'), TMPDIR: tree.path('tmp') };
    const { code, stdout, stderr } = await run(systemNode(), [tree.path('inst/dist/bin/o.cjs'), 'demo'], { cwd: tree.root, env });
    tree.remove();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('The test failed before and passes now.');
  }, 60_000);
});
