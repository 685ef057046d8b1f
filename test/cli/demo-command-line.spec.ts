import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BACKEND_NAMES } from '#model';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

describe('the demo with a setting that cannot be', () => {
  let tree: TempTree;
  beforeEach(() => {
    tree = new TempTree();
  });
  afterEach(() => tree.remove());

  it.each(['opnai', 'OpenAI', 'constructor'])(
    'says in one sentence what OLLIE_BACKEND=%s may be, before anything is started',
    async (name) => {
      const env = { PATH: process.env.PATH, HOME: tree.root, TMPDIR: tree.root, OLLIE_BACKEND: name };
      expect(await run(join(root, 'bin/o'), ['demo'], { env })).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `demo: no such backend: ${name}; OLLIE_BACKEND may be ${BACKEND_NAMES.slice(0, -1).join(', ')} or scripted\n`,
      });
      expect(readdirSync(tree.root)).toEqual([]);
    },
  );
});
