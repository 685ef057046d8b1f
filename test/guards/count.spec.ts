import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, runScript, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';

const passes = "it('passes', () => expect(1).toBe(1));\n";

describe('the count at the end of a test run', () => {
  let tree: TempTree;

  beforeEach(() => {
    const config = { testEnvironment: 'node', reporters: ['default', join(root, 'test/count-reporter.mjs')], transform: {} };
    tree = new TempTree({ 'package.json': JSON.stringify({ name: 'x', jest: config }) });
  });
  afterEach(() => tree.remove());

  function jest(text: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<Ended> {
    tree.add('a.test.js', text);
    return runScript('node_modules/jest/bin/jest.js', ['--rootDir', tree.root, '-i', ...args], {
      cwd: tree.root,
      env: { ...process.env, CI: '', ...env },
    });
  }
  const lastLine = ({ stdout }: Ended): string | undefined => stdout.trimEnd().split('\n').at(-1);

  it('is the last line', async () => {
    const ended = await jest(`${passes}it('fails', () => expect(1).toBe(2));\n`, {});
    expect([lastLine(ended), ended.code]).toEqual(['1 passed, 1 failed', 1]);
  });

  it('counts a suite that cannot run as failed', async () => {
    tree.add('b.test.js', passes);
    const ended = await jest('throw new Error();\n', {});
    expect([lastLine(ended), ended.code]).toEqual(['1 passed, 1 failed', 1]);
  });

  it('counts a run in which no test has the name that was asked for as failed', async () => {
    const ended = await jest(passes, {}, '-t', 'no such test');
    expect([lastLine(ended), ended.code]).toEqual(['0 passed, 1 failed', 1]);
  });

  it('names a test that was not run, and in CI counts it as failed', async () => {
    const text = `${passes}it.skip('sleeps', () => {});\nit.todo('waits');\n`;
    const atHome = await jest(text, {});
    expect([lastLine(atHome), atHome.code]).toEqual(['1 passed, 0 failed', 0]);
    expect(atHome.stdout).toMatch(/^not run: .*a\.test\.js: sleeps$/m);
    const inCi = await jest(text, { CI: 'true' });
    expect([lastLine(inCi), inCi.code]).toEqual(['1 passed, 2 failed', 1]);
  });

  it('forgives in CI only what waits for the shared cases, and a run by name', async () => {
    const allowed = await jest(`${passes}it.skip('replays (not run: no shared cases)', () => {});\n`, { CI: 'true' });
    expect([lastLine(allowed), allowed.code]).toEqual(['1 passed, 0 failed', 0]);
    const byName = await jest(`${passes}it.skip('sleeps', () => {});\n`, { CI: 'true' }, '-t', 'passes');
    expect([lastLine(byName), byName.code]).toEqual(['1 passed, 0 failed', 0]);
  });

  it('ends a run that leaves something open, names it, and fails', async () => {
    const ended = await jest(`${passes}setInterval(() => {}, 1000);\n`, {});
    expect([lastLine(ended), ended.code]).toEqual(['1 passed, 1 failed', 1]);
    expect(ended.stderr).toContain('the tests left something open: ');
  });
});

describe('the command that CI runs', () => {
  let tree: TempTree;

  beforeEach(() => {
    tree = new TempTree();
    tree.add('.ci/run', readFileSync(join(root, '.ci/run'), 'utf8'), 0o755);
  });
  afterEach(() => tree.remove());

  /** `npm` is a script that says and ends as each command is told to. */
  async function ci(check: string, test: string): Promise<readonly [string | undefined, number | null]> {
    tree.add('bin/npm', `#!/bin/sh\ncase $3 in\ncheck) ${check};;\ntest) ${test};;\nesac\n`, 0o755);
    for (const program of ['bash', 'sh', 'dirname', 'mktemp', 'rm', 'tee', 'tail'])
      symlinkSync(`/bin/${program}`, tree.path(`bin/${program}`));
    const { stdout, code } = await run('bash', [tree.path('.ci/run')], { env: { PATH: tree.path('bin') } });
    return [stdout.trimEnd().split('\n').at(-1), code];
  }

  it.each([
    ['adds up both counts', 'echo 7 passed, 0 failed', 'echo 40 passed, 0 failed', '47 passed, 0 failed', 0],
    ['fails with a check', 'echo 6 passed, 1 failed; exit 1', 'echo 40 passed, 0 failed', '46 passed, 1 failed', 1],
    ['fails with a test', 'echo 7 passed, 0 failed', 'echo 40 passed, 2 failed; exit 1', '47 passed, 2 failed', 1],
    ['fails without a count', 'echo 7 passed, 0 failed', 'echo killed', '7 passed, 1 failed', 1],
    ['fails with the exit code', 'echo 7 passed, 0 failed', 'echo 40 passed, 0 failed; exit 3', '47 passed, 1 failed', 1],
  ])('%s', async (_what, check, test, line, code) => {
    expect(await ci(check, test)).toEqual([line, code]);
  });
});
