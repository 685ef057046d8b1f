import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/run.js';
import { Ollie, processesWith, until } from './ollie.js';

jest.setTimeout(90_000);

describe('the daemon', () => {
  let ollie: Ollie;
  beforeEach(() => {
    ollie = new Ollie();
  });
  afterEach(() => ollie.destroy());

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends in order on %s, with a session open', async (signal) => {
    await ollie.start();
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      printf 'name=a\\n' | ollie-9p write session/s/agent/new
      echo 'run sleep 63.1' | ollie-9p write session/s/agent/a/prompt
      sleep 1
    `);
    expect(await ollie.end(signal)).toBe(0);
    expect(readdirSync(join(ollie.folder, 'ns'))).toEqual([]);
    expect(readdirSync(join(ollie.folder, 'run/ollie/tools'))).toEqual([]);
  });

  it('ends when `kill` is written to its ctl, after the answer', async () => {
    await ollie.start();
    const { stdout } = await ollie.sh('echo kill | ollie-9p rdwr ctl');
    expect(stdout).toBe('ok\n');
    expect(await ollie.end('SIGCONT')).toBe(0);
    expect(existsSync(join(ollie.folder, 'ns/ollie'))).toBe(false);
  });

  it('says in one sentence that somebody serves there already', async () => {
    await ollie.start();
    const second = await ollie.olliesrv('serve');
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(/^olliesrv: .*\/ns\/ollie.*\n$/);
    expect((await ollie.sh('ollie-9p read backends')).stdout).toBe('scripted\n');
  });

  it('takes over a socket that nobody answers', async () => {
    await ollie.start();
    await ollie.end('SIGKILL');
    expect(existsSync(join(ollie.folder, 'ns/ollie'))).toBe(true);
    await ollie.start();
    expect((await ollie.sh('ollie-9p read backends')).stdout).toBe('scripted\n');
  });

  it('starts in the background, tells its status, and stops', async () => {
    expect(await ollie.olliesrv('status')).toMatchObject({ code: 1, stdout: `olliesrv: nothing listens on ${ollie.address}\n` });
    const started = await ollie.olliesrv('start', '--log', 'warn');
    expect(started).toMatchObject({ code: 0, stderr: '' });
    const pid = /^olliesrv: listening on \S+ with pid ([0-9]+)\n$/.exec(started.stdout)?.[1];
    await ollie.sh('echo name=s | ollie-9p write session/new');
    const status = await ollie.olliesrv('status');
    expect(status).toMatchObject({ code: 0, stdout: `olliesrv: running on ${ollie.address} pid=${String(pid)} sessions=1\n` });
    expect(await ollie.olliesrv('stop')).toMatchObject({ code: 0, stdout: `olliesrv: stopped ${ollie.address}\n` });
    expect(await ollie.olliesrv('stop')).toMatchObject({ code: 1, stdout: `olliesrv: nothing listens on ${ollie.address}\n` });
  });

  it('has in the background the options of Node that it was started with', async () => {
    const { stdout } = await ollie.sh(`"${process.execPath}" --max-semi-space-size=2 "${join(root, 'dist/bin/olliesrv.mjs')}" start`);
    const server = processesWith('olliesrv.mjs serve').find(({ pid }) => stdout.endsWith(` with pid ${String(pid)}\n`));
    await ollie.olliesrv('stop');
    expect(server?.command).toMatch(/^\S+ --max-semi-space-size=2 \S+olliesrv\.mjs serve $/);
  });

  it('has ended what it ran when `stop` says so', async () => {
    await ollie.start();
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
      echo 'run trap "" TERM; touch runs; sleep 63.3; sleep 63.4' | ollie-9p write session/s/agent/a/prompt
    `);
    await until('the tool runs', () => existsSync(join(ollie.project, 'runs')));
    expect(await ollie.olliesrv('stop')).toMatchObject({ code: 0 });
    expect(processesWith('sleep 63.').filter(({ command }) => command.startsWith('sleep'))).toEqual([]);
    expect(processesWith('toolsrv.mjs').filter(({ command }) => command.includes(ollie.folder))).toEqual([]);
    expect(readdirSync(join(ollie.folder, 'ns'))).toEqual([]);
  });

  it('serves and ends in order where no pid file can be written', async () => {
    await ollie.start({ args: ['--listen', `unix!${ollie.folder}/ns/ollie`] });
    await ollie.end();
    mkdirSync(join(ollie.folder, 'ns/ollie.pid'));
    await ollie.start();
    expect((await ollie.sh('ollie-9p read backends')).stdout).toBe('scripted\n');
    expect(ollie.stderr).toContain('no pid file');
    expect(await ollie.end()).toBe(0);
    expect(readdirSync(join(ollie.folder, 'ns'))).toEqual(['ollie.pid']);
  });

  it('says in one sentence that it can keep no log in the background', async () => {
    writeFileSync(join(ollie.folder, 'home/.local'), '');
    const { code, stderr } = await ollie.olliesrv('start');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^olliesrv: cannot write the log .*olliesrv\.log: .*; set OLLIE_DATA_PATH, or use: olliesrv serve\n$/);
  });

  it('relays why it did not start in the background', async () => {
    await ollie.start();
    const second = await ollie.olliesrv('start');
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toContain('/ns/ollie');
  });

  it.each([
    [['serve', '--colour', 'red'], /unknown option '--colour'/],
    [['serve', '--log', 'loud'], /^olliesrv: --log: loud is none of debug info warn error off\n$/],
    [['serve', '--wait-timeout', 'soon'], /^olliesrv: --wait-timeout: .*soon.*\n$/],
    [['dance'], /unknown command 'dance'/],
    [[], /Usage: olliesrv/],
  ])('answers %j with how it is used and exit code 2', async (args, complaint) => {
    const { code, stdout, stderr } = await ollie.olliesrv(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(complaint);
  });

  it('shows its help', async () => {
    const { code, stdout } = await ollie.olliesrv('--help');
    expect(code).toBe(0);
    for (const word of ['serve', 'start', 'stop', 'status']) expect(stdout).toContain(word);
  });

  it('refuses a namespace directory that others can enter', async () => {
    const shared = new Ollie();
    writeFileSync(join(shared.project, 'x'), '');
    await shared.sh('chmod 755 "$NAMESPACE"');
    const { code, stderr } = await shared.olliesrv('serve');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^olliesrv: .*0700.*\n$/);
    await shared.destroy();
  });

  it('lets a blocked read go after --wait-timeout', async () => {
    await ollie.start({ args: ['--wait-timeout', '300ms'] });
    const { stdout } = await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
      ollie-9p read session/s/agent/a/statewait
    `);
    expect(stdout).toBe('idle\n');
  });
});
