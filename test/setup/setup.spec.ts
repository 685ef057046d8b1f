import { existsSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { run } from '../support/run.js';
import { Checkout, lockOf } from './checkout.js';

describe('the set-up', () => {
  let checkout: Checkout;

  beforeEach(() => {
    checkout = new Checkout();
  });
  afterEach(() => checkout.remove());

  const builds = (): number => readFileSync(checkout.path('built.log'), 'utf8').trim().split('\n').length;

  it('builds the helper and the programs, then runs the script with its arguments', async () => {
    const { code, stdout, stderr } = await checkout.setup(['show.mjs', 'a', 'b c']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `a b c on ${process.execPath}\n` });
    expect(stderr).toMatch(/^setup: sandbox helper built with (?:musl-g)?cc\nsetup: programs built in \d+ ms\n$/);
    expect((await run(checkout.path('native/build/ollie-sandbox'), [])).code).toBe(7);
    expect(existsSync(checkout.path('.setup.lock'))).toBe(false);
  });

  it('takes musl-gcc first, what is usual where that cannot build, and builds again once it is there', async () => {
    const path = `${checkout.path('more')}:${process.env.PATH}`;
    checkout.addProgram('more/musl-gcc', '[ "$1" = --version ]');
    expect((await checkout.setup([], { path })).stderr).toContain('setup: sandbox helper built with cc\n');
    expect((await checkout.setup([], { path })).stderr).toBe('');
    checkout.addProgram('more/musl-gcc', 'while [ "$1" != -o ]; do [ "$1" = --version ] && exit; shift; done; echo small >"$2"');
    utimesSync(checkout.path('native/build/ollie-sandbox'), 1, 1);
    expect((await checkout.setup([], { path })).stderr).toBe('setup: sandbox helper built with musl-gcc\n');
    expect((await checkout.setup([], { path, env: { CC: 'gcc' } })).stderr).toBe('setup: sandbox helper built with gcc\n');
    expect((await checkout.setup([], { path })).stderr).toBe('setup: sandbox helper built with musl-gcc\n');
  });

  it('says and does nothing the second time', async () => {
    await checkout.setup([]);
    const { code, stderr } = await checkout.setup([]);
    expect({ code, stderr, builds: builds() }).toEqual({ code: 0, stderr: '', builds: 1 });
  });

  it('builds again what has a newer source, or lost one', async () => {
    await checkout.setup([]);
    const helper = checkout.path('native/build/ollie-sandbox');
    utimesSync(helper, 1, 1);
    utimesSync(checkout.path('dist/bin/.built'), 1, 1);
    await checkout.setup([]);
    expect(statSync(helper).mtimeMs).toBeGreaterThan(1_000);
    await wait(20);
    rmSync(checkout.path('libs/b/src/index.ts'));
    await checkout.setup([]);
    expect(builds()).toBe(3);
  });

  it('uses a prebuilt helper where there is no compiler', async () => {
    checkout.add(`native/prebuilt/linux-${process.arch}/ollie-sandbox`, '');
    const { code } = await checkout.setup([], { path: checkout.path('empty') });
    expect(code).toBe(0);
  });

  it('installs exactly when what is there is not what the lock file names', async () => {
    checkout.addProgram('bin/npm', `echo "npm $*" >> '${checkout.path('npm.log')}'; cp package-lock.json node_modules/.package-lock.json`);
    const path = `${checkout.path('bin')}:${process.env.PATH}`;
    checkout.add(
      'package-lock.json',
      lockOf({ 'node_modules/x': { version: '2.0.0' }, 'node_modules/other-cpu': { version: '1.0.0', optional: true } }),
    );
    for (const present of [{}, { 'node_modules/x': { version: '1.0.0' } }, { 'node_modules/x': { version: '2.0.0' } }]) {
      checkout.add('node_modules/.package-lock.json', lockOf(present));
      expect((await checkout.setup([], { path })).code).toBe(0);
    }
    const installs = readFileSync(checkout.path('npm.log'), 'utf8').trim().split('\n');
    expect(installs).toHaveLength(2);
    expect(installs[0]).toMatch(/^npm ci --ignore-scripts /);
  });

  it('waits for another set-up, and goes on when that has ended', async () => {
    const self = readFileSync('/proc/self/stat', 'utf8');
    const lock = checkout.add('.setup.lock', `${process.pid} ${self.slice(self.lastIndexOf(')') + 2).split(' ')[19]}`);
    const waiting = checkout.setup([]);
    await wait(700);
    expect(existsSync(checkout.path('built.log'))).toBe(false);
    rmSync(lock);
    const { code, stderr } = await waiting;
    expect(stderr).toContain(`setup: waiting for another set-up (process ${process.pid})\n`);
    expect(code).toBe(0);
  });

  it('takes over the lock of a process that is gone, even when its number is in use again', async () => {
    checkout.add('.setup.lock', `${process.pid} 1`);
    expect(await checkout.setup([])).toMatchObject({ code: 0, stderr: expect.not.stringContaining('waiting') });
  });
});
