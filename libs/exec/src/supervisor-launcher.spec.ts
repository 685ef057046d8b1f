import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findHelper, type RunOrder } from '#sandbox';
import { describeLauncher, isAlive, parentOf, until, watch } from './describe-launcher.js';
import { SupervisorLauncher } from './supervisor-launcher.js';

describe('a run through the supervisor', () => {
  const launcher = new SupervisorLauncher(findHelper());

  beforeAll(() => launcher.whenReady());
  afterAll(() => launcher.close());

  describeLauncher(() => launcher);

  test('is watched over by a process that the supervisor has forked', async () => {
    const { ended, output, started, run } = watch(launcher, 'echo ready; sleep 60');
    await until(() => output() !== '');
    expect(parentOf(parentOf(started()?.pid ?? 0))).toBe(launcher.pid);
    run.kill();
    await ended;
  });

  test('goes on beside many others, each with its own output', async () => {
    const all = Array.from({ length: 40 }, (_, n) => watch(launcher, `sleep 0.0${n % 10}; seq ${n} ${n + 2000}; exit ${n}`));
    for (const [n, { ended, output }] of all.entries()) {
      expect(await ended).toEqual({ type: 'exit', code: n, left: 0 });
      expect(output()).toBe(Array.from({ length: 2001 }, (_, i) => `${n + i}\n`).join(''));
    }
  });

  test('is not delayed by the flood of another', async () => {
    const flood = watch(launcher, 'yes');
    await until(() => flood.output() !== '');
    const begin = performance.now();
    expect(await watch(launcher, 'echo quick').ended).toEqual({ type: 'exit', code: 0, left: 0 });
    expect(performance.now() - begin).toBeLessThan(2000);
    flood.run.kill();
    await flood.ended;
  });

  test('hands over the last byte of a large output', async () => {
    let bytes = 0;
    const order: RunOrder = {
      policy: undefined,
      cell: false,
      argv: ['head', '-c', '30000000', '/dev/zero'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      graceMs: 300,
    };
    const run = launcher.launch(order, undefined, { started: () => undefined, output: (chunk) => (bytes += chunk.length) });
    expect(await run.ended).toEqual({ type: 'exit', code: 0, left: 0 });
    expect(bytes).toBe(30_000_000);
  });

  test('has no descriptor of the supervisor or of another run', async () => {
    const other = watch(launcher, 'echo ready; sleep 60', {}, 'secret input');
    await until(() => other.output() !== '');
    const { ended, output } = watch(launcher, 'ls -l /proc/$$/fd | wc -l; ls /proc/$$/fd');
    await ended;
    expect(output().trim().split('\n').slice(1)).toEqual(['0', '1', '2']);
    other.run.kill();
    await other.ended;
  });

  test('leaves no process and no descriptor behind', async () => {
    // A control group is kept for the next run once the process of the last has gone.
    const descriptors = async (): Promise<number> => {
      await sleep(100);
      return readdirSync(`/proc/${launcher.pid}/fd`).length;
    };
    await Promise.all(Array.from({ length: 20 }, () => watch(launcher, 'exit 0').ended));
    const before = await descriptors();
    await Promise.all(Array.from({ length: 20 }, (_, n) => watch(launcher, `exit ${n}`, {}, 'input').ended));
    expect(await descriptors()).toBe(before);
  });

  test('has the next run ready; whoever kills that harms no run, and gets no other one to kill', async () => {
    const ready = (): readonly string[] =>
      readFileSync(`/proc/${launcher.pid}/task/${launcher.pid}/children`, 'utf8').split(' ').filter(Boolean);
    expect(await watch(launcher, 'exit 3').ended).toMatchObject({ code: 3 });
    await sleep(100); // the process of the last run goes a little after its end
    await until(() => ready().length === 1);
    process.kill(Number(ready()[0]), 'SIGKILL');
    await until(() => ready().length === 0);
    await sleep(100);
    expect(ready()).toEqual([]);
    expect(await watch(launcher, 'cat; exit 4', {}, 'input').ended).toMatchObject({ code: 4 });
    await until(() => ready().length === 1);
    expect(await watch(launcher, 'exit 5').ended).toMatchObject({ code: 5 });
  });

  test('refuses an order that no kernel could start', async () => {
    const { ended } = watch(launcher, 'true', { argv: ['/bin/true', ...Array.from({ length: 90 }, () => 'x'.repeat(100_000))] });
    expect(await ended).toMatchObject({ type: 'failed', step: 'order', code: 125 });
    expect(await watch(launcher, 'exit 6').ended).toMatchObject({ code: 6 });
  });

  test('reads also more than a frame holds, and harms no other by that', async () => {
    const other = watch(launcher, 'echo ready; sleep 60');
    await until(() => other.output() !== '');
    const { ended, output } = watch(launcher, 'wc -c', {}, 'x'.repeat(41 * 1024 * 1024));
    expect(await ended).toEqual({ type: 'exit', code: 0, left: 0 });
    expect(Number(output())).toBe(41 * 1024 * 1024);
    other.run.kill();
    expect(await other.ended).toMatchObject({ type: 'signal' });
  });

  test('fails clearly when the supervisor dies, leaves nothing, and the next one has a new supervisor', async () => {
    const { ended, output, started } = watch(launcher, '(setsid sleep 50 & echo $!; wait) & sleep 51 & echo $!; echo ready; wait');
    await until(() => output().includes('ready'));
    const pids = [...(output().match(/^\d+$/gm) ?? []), String(started()?.pid)];
    const before = launcher.pid ?? NaN; // 0 would be all processes of this group
    process.kill(before, 'SIGKILL');
    expect(await ended).toEqual({ type: 'failed', step: 'supervisor', code: 125, message: expect.stringContaining('supervisor ended') });
    await until(() => !pids.some(isAlive));
    expect(await watch(launcher, 'exit 5').ended).toEqual({ type: 'exit', code: 5, left: 0 });
    await until(() => (void watch(launcher, 'true'), launcher.pid !== undefined && launcher.pid !== before));
    expect(await launcher.whenReady()).toBe(true);
  });
});

describe('a supervisor launcher', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'helpers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** A helper that knows no `serve`. */
  function olderHelper(): string {
    const path = join(folder, 'helper');
    writeFileSync(path, `#!/bin/sh\n[ "$1" = serve ] && exit 2\nexec ${findHelper()} "$@"\n`);
    chmodSync(path, 0o755);
    return path;
  }

  test('gives each run a helper of its own until its supervisor is ready', async () => {
    const launcher = new SupervisorLauncher(findHelper());
    expect(await watch(launcher, 'exit 3').ended).toEqual({ type: 'exit', code: 3, left: 0 });
    expect(await launcher.whenReady()).toBe(true);
    await launcher.close();
  });

  test('and for good where there can be no supervisor', async () => {
    const launcher = new SupervisorLauncher(olderHelper());
    expect(await launcher.whenReady()).toBe(false);
    for (const code of [3, 4]) expect(await watch(launcher, `exit ${code}`).ended).toEqual({ type: 'exit', code, left: 0 });
    await launcher.close();
  });

  test('ends its runs when it is closed', async () => {
    const launcher = new SupervisorLauncher(findHelper());
    await launcher.whenReady();
    const { ended, output, started } = watch(launcher, 'echo ready; sleep 60');
    await until(() => output() !== '');
    await launcher.close();
    expect(await ended).toMatchObject({ type: 'failed', step: 'supervisor' });
    await until(() => !isAlive(started()?.pid ?? 0));
    expect(launcher.pid).toBeUndefined();
  });
});

describe('a run whose supervisor ends before it has read the order', () => {
  test.each(['has ended', 'is stopped and ends'])('runs all the same, once: when that %s', async (how) => {
    const launcher = new SupervisorLauncher(findHelper());
    expect(await launcher.whenReady()).toBe(true);
    const pid = launcher.pid ?? NaN;
    process.kill(pid, how === 'has ended' ? 'SIGKILL' : 'SIGSTOP');
    if (how === 'has ended') waitForEndOf(pid);
    const { ended, output } = watch(launcher, 'echo once; exit 5');
    process.kill(pid, 'SIGKILL');
    expect([await ended, output()]).toEqual([{ type: 'exit', code: 5, left: 0 }, 'once\n']);
    await launcher.close();
  });

  test('is not started again when it was only a later word about it that nobody has read', async () => {
    const launcher = new SupervisorLauncher(findHelper());
    expect(await launcher.whenReady()).toBe(true);
    const pid = launcher.pid ?? NaN;
    const { ended, output, run } = watch(launcher, 'echo once; sleep 60');
    await until(() => output() !== '');
    process.kill(pid, 'SIGSTOP');
    run.terminate();
    process.kill(pid, 'SIGKILL');
    expect(await ended).toMatchObject({ type: 'failed', step: 'supervisor' });
    expect(output()).toBe('once\n');
    await launcher.close();
  });
});

/** Without a turn of the event loop, in which that would be noticed. */
function waitForEndOf(pid: number): void {
  const isOver = (): boolean => /^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  for (let tries = 0; tries < 200 && !isOver(); tries += 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
}
