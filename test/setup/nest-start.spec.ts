import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';
import { until } from '../support/until.js';

describe('nest start', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree();
    mkdirSync(tree.path('ns'), { mode: 0o700 });
  });
  afterEach(() => tree.remove());

  it.each([
    ['toolsrv', ['serve', '--cwd', '.', '--no-auth', '--listen'], 'proc'],
    ['olliesrv', ['serve', '--listen'], 'session'],
  ])(
    'runs %s from its source until SIGTERM',
    async (app, args, name) => {
      const socket = tree.path('s');
      const nest = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
      const env = { ...process.env, HOME: tree.root, NAMESPACE: tree.path('ns') };
      const child = spawn(process.execPath, [nest, 'start', app, '--', ...args, socket], {
        cwd: root,
        env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let said = '';
      child.stdout.on('data', (text: Buffer) => (said += text.toString()));
      await until(`${app} listens`, () => said.includes(`${app}: listening on unix!${socket}`), 50_000);
      expect((await run(join(root, 'bin/ollie-9p'), ['-a', `unix!${socket}`, 'ls'])).stdout).toContain(`${name}\n`);
      child.kill('SIGTERM');
      expect(await once(child, 'close')).toEqual([0, null]);
      await until('its socket is gone', () => !existsSync(socket));
    },
    60_000,
  );
});
