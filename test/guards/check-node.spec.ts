import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** What dependency-cruiser does on a Node that it was not made for. */
const REFUSING = `process.stderr.write('\\nERROR: Your node version (20.0.0) is not supported.\\n  at length\\n'); process.exitCode = 1;\n`;

describe('the checks on a Node that is not the pinned one', () => {
  let tree: TempTree;
  beforeEach(() => {
    tree = new TempTree();
  });
  afterEach(() => tree.remove());

  /** A copy of the checks with a pinned Node that tells what it is asked to run. */
  function copyWithPinnedNode(): string {
    cpSync(join(root, 'scripts'), tree.path('scripts'), { recursive: true });
    tree.add(`node_modules/node-${process.platform}-${process.arch}/bin/node`, '#!/bin/sh\necho "pinned runs $1"\n', 0o755);
    return tree.path('scripts/check.mjs');
  }

  it('run each step on the pinned one', async () => {
    const { code, stdout } = await run(process.execPath, [copyWithPinnedNode(), 'imports', 'docs']);
    expect(stdout).toMatch(/^pinned runs scripts\/guard-imports\.mjs\ncheck: imports: ok /m);
    expect(stdout).toMatch(/^pinned runs scripts\/docs\.mjs\ncheck: docs: ok /m);
    expect(code).toBe(0);
  });

  it('say in one sentence that the import guard cannot run there', async () => {
    cpSync(join(root, 'scripts'), tree.path('scripts'), { recursive: true });
    tree.add('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', REFUSING);
    const { code, stdout, stderr } = await run(process.execPath, [tree.path('scripts/guard-imports.mjs')]);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `imports: dependency-cruiser does not run on Node ${process.version} (Your node version (20.0.0) is not supported); npm run setup installs a Node for it, which npm run check takes\n`,
    });
  });
});
