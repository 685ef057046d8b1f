import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

/** The program behind each step and what it is told to look at. */
const STEPS = {
  format: 'node_modules/prettier/bin/prettier.cjs --check --log-level=warn apps libs test scripts examples docs/guides config',
  lint: 'node_modules/oxlint/bin/oxlint --type-aware --quiet apps libs test scripts examples docs/guides config',
  types: 'node_modules/typescript7/bin/tsc -p tsconfig.json --noEmit',
  imports: 'scripts/guard-imports.mjs',
  source: 'scripts/guard-source.mjs',
  unused: 'node_modules/knip/bin/knip.js --no-progress --no-config-hints',
  docs: 'scripts/docs.mjs --check',
  readmes: 'scripts/guard-readmes.mjs',
};
const names = Object.keys(STEPS);

/** Stands in for each program: notes how it was called, and fails for the step that is to fail. */
const STAND_IN = `
const { appendFileSync } = process.getBuiltinModule('node:fs');
const call = [process.argv[1].slice(process.cwd().length + 1), ...process.argv.slice(2)].join(' ');
appendFileSync('calls', call + '\\n');
process.exitCode = call === process.env.FAILS ? 1 : 0;
`;

describe('npm run check', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree({ 'package.json': '{}' });
    for (const call of Object.values(STEPS)) tree.add(call.split(' ')[0] ?? '', STAND_IN);
    mkdirSync(tree.path('scripts'), { recursive: true });
    for (const script of ['check', 'pinned-node']) copyFileSync(join(root, `scripts/${script}.mjs`), tree.path(`scripts/${script}.mjs`));
  });
  afterEach(() => tree.remove());

  const check = (args: readonly string[], fails = ''): Promise<Ended> =>
    run(process.execPath, [tree.path('scripts/check.mjs'), ...args], { cwd: tree.root, env: { ...process.env, FAILS: fails } });

  it('runs every guard over everything that it is for', async () => {
    const { code, stdout } = await check([]);
    const calls = readFileSync(tree.path('calls'), 'utf8').trimEnd().split('\n');
    expect(calls.sort()).toEqual(Object.values(STEPS).sort());
    expect(stdout).toMatch(/\n8 passed, 0 failed\n$/);
    expect(code).toBe(0);
  });

  it.each(Object.entries(STEPS))('fails with %s', async (step, call) => {
    const { code, stdout } = await check([step], call);
    expect(stdout).toMatch(new RegExp(`^check: ${step}: FAILED .*\\n0 passed, 1 failed\\n$`));
    expect(code).toBe(1);
  });

  it('goes on after a step that fails, and refuses one that there is not', async () => {
    const { code, stdout } = await check([], STEPS.format);
    expect(stdout).toMatch(/\n7 passed, 1 failed\n$/);
    const unknown = await check(['formt']);
    expect(unknown.stderr).toBe(`check: no such step: formt (steps: ${names.join(' ')})\n`);
    expect([code, unknown.code]).toEqual([1, 2]);
  });
});
