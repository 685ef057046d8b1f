import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, runScript, type Ended } from '../support/run.js';
import { TempTree } from '../support/temp-tree.js';
import { until } from '../support/until.js';

const PASSES = "it('passes', () => expect(1).toBe(1));\n";
const FAILS = "it('fails', () => expect(1).toBe(2));\n";

/** Notes when it begins and when it ends. */
const notes = (name: string): string => `
const { appendFileSync } = require('node:fs');
const note = (what) => appendFileSync(process.cwd() + '/notes', what + ' ${name}\\n');
it('takes a while', async () => {
  note('begin');
  await new Promise((resolve) => setTimeout(resolve, 200));
  note('end');
});
`;

describe('a run of all specs in parts', () => {
  let tree: TempTree;

  beforeEach(() => {
    const config = { testEnvironment: 'node', reporters: ['default', join(root, 'test/count-reporter.mjs')], transform: {} };
    tree = new TempTree({ 'package.json': JSON.stringify({ name: 'x', jest: config }) });
    symlinkSync(join(root, 'node_modules'), tree.path('node_modules'));
  });
  afterEach(() => tree.remove());

  async function suite(
    files: Readonly<Record<string, string>>,
    env: NodeJS.ProcessEnv = {},
  ): Promise<Ended & { readonly last: string | undefined }> {
    for (const [path, text] of Object.entries(files)) tree.add(path, text);
    const ended = await runScript('scripts/test-suite.mjs', [tree.root], { env: { ...process.env, CI: '', ...env } });
    return { ...ended, last: ended.stdout.trimEnd().split('\n').at(-1) };
  }

  it('ends with one count of them all', async () => {
    const { last, code, stdout } = await suite({
      'a.test.js': PASSES,
      'test/b.test.js': PASSES,
      'c.test.js': `// Runs alone: it wants to\n${PASSES}`,
    });
    expect([last, code]).toEqual(['3 passed, 0 failed', 0]);
    expect(stdout.match(/ passed, /g)).toHaveLength(1);
  });

  it('says nothing after the count, whichever stream it says it on', async () => {
    tree.add('a.test.js', PASSES);
    const script = `exec "$0" "$1" "$2" 2>&1`;
    const child = spawn('/bin/sh', ['-c', script, process.execPath, join(root, 'scripts/test-suite.mjs'), tree.root], {
      env: { ...process.env, CI: '' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(child, 'close');
    expect(said.trimEnd().split('\n').at(-1)).toBe('1 passed, 0 failed');
    expect(said).toContain('Test Suites: 1 passed');
  });

  it('runs what is to run alone when nothing else does, one after the other', async () => {
    const alone = '// Runs alone: the others are loud\n';
    const files = {
      'a.test.js': alone + notes('a'),
      'b.test.js': alone + notes('b'),
      'c.test.js': notes('c'),
      'test/d.test.js': notes('d'),
    };
    expect(await suite(files)).toMatchObject({ last: '4 passed, 0 failed', code: 0 });
    const order = readFileSync(tree.path('notes'), 'utf8').trimEnd().split('\n');
    expect(order.slice(0, 4).sort()).toEqual(['begin c', 'begin d', 'end c', 'end d']);
    const ran = ['a', 'b'].map((name) => [`begin ${name}`, `end ${name}`]);
    expect([ran.flat(), ran.toReversed().flat()]).toContainEqual(order.slice(4));
  });

  it.each([
    ['fails', FAILS],
    ['cannot start', 'throw new Error();\n'],
    ['is killed', "it('dies', () => process.kill(process.pid, 'SIGKILL'));\n"],
    ['ends the process that runs it', "it('ends', () => process.exit(0));\n"],
    ['leaves something open', `${PASSES}setInterval(() => {}, 1000);\n`],
  ])('fails with a part in which a spec %s, and runs the others', async (_how, text) => {
    const { last, code } = await suite({ 'a.test.js': text, 'test/b.test.js': PASSES });
    expect(last).toMatch(/^[12] passed, 1 failed$/);
    expect(code).toBe(1);
  });

  it('names each spec that failed before the count, and each that was not run, which fails in CI', async () => {
    const { stdout, code } = await suite({ 'a.test.js': FAILS, 'test/b.test.js': "it.skip('sleeps', () => {});\n" }, { CI: 'true' });
    expect(stdout).toMatch(/^not run: .*b\.test\.js: sleeps\nfailed: a\.test\.js\n0 passed, 2 failed\n$/);
    expect(code).toBe(1);
  });

  it('ends with all that it has started when it is told to', async () => {
    const pid = tree.path('pid');
    tree.add(
      'a.test.js',
      `it('hangs', () => new Promise(() => require('node:fs').writeFileSync('${pid}', String(process.pid))), 60_000);\n`,
    );
    const child = spawn(process.execPath, [join(root, 'scripts/test-suite.mjs'), tree.root], { stdio: 'ignore' });
    await until('a spec runs', () => existsSync(pid) && readFileSync(pid, 'utf8') !== '');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
    await until('it runs no more', () => !existsSync(`/proc/${readFileSync(pid, 'utf8')}`));
  });

  it('fails when there is nothing to run', async () => {
    expect(await suite({})).toMatchObject({ last: '0 passed, 1 failed', code: 1 });
  });
});
