import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runScript } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

describe('the page of the namespace', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree();
  });
  afterEach(() => tree.remove());

  it('is what the tables say', async () => {
    await runScript('scripts/docs.mjs', [tree.path('namespace.md')]);
    expect(readFileSync(join(root, 'docs/namespace.md'), 'utf8')).toBe(readFileSync(tree.path('namespace.md'), 'utf8'));
  });

  it('is reported when it says something else, or is missing', async () => {
    const page = tree.path('namespace.md');
    const missing = await runScript('scripts/docs.mjs', ['--check', page]);
    await runScript('scripts/docs.mjs', [page]);
    const same = await runScript('scripts/docs.mjs', ['--check', page]);
    appendFileSync(page, 'by hand\n');
    const changed = await runScript('scripts/docs.mjs', ['--check', page]);
    expect([missing.code, same.code, changed.code]).toEqual([1, 0, 1]);
    expect(changed.stderr).toBe(`docs: ${page} is not what the tables say; run: npm run docs\n`);
  });
});
