import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paths } from '#config';
import { findHelper, loadPolicy, type RunOrder, type SandboxPolicy } from '#sandbox';
import { describeLauncher, isAlive, until, watch } from './describe-launcher.js';
import { SupervisorLauncher } from './supervisor-launcher.js';

/** A home with a working directory, and what the packaged policy grants there. */
function place(): { readonly root: string; readonly work: string; readonly policy: SandboxPolicy } {
  const root = mkdtempSync(join(tmpdir(), 'ollie-cells-'));
  const [work, tmp] = [join(root, 'work'), join(root, 'private')];
  mkdirSync(work);
  mkdirSync(tmp, { mode: 0o700 });
  return { root, work, policy: loadPolicy(Paths.from({ HOME: root }), { HOME: root, CWD: work, TMPDIR: tmp }) };
}

describe('a run in a cell', () => {
  const launcher = new SupervisorLauncher(findHelper());
  const { root, work, policy } = place();
  const inCell: Partial<RunOrder> = { policy, cell: true, cwd: work };
  const order: RunOrder = { policy, cell: true, argv: ['true'], cwd: work, env: {}, graceMs: 300 };

  const ready = (change: Partial<RunOrder> = {}): Promise<boolean> => launcher.whenReady({ ...order, ...change });
  beforeAll(async () => {
    await ready();
    await ready({ cwd: '/' });
  });
  afterAll(async () => {
    await launcher.close();
    rmSync(root, { recursive: true });
  });

  describeLauncher(() => launcher, { policy, cell: true });

  test('sees its own processes and none of the system, and is known outside by its number there', async () => {
    const { ended, output, started, run } = watch(launcher, 'ls -d /proc/[0-9]* | wc -l; echo ready; sleep 60', inCell);
    await until(() => output().includes('ready'));
    expect(Number(output().split('\n')[0])).toBeLessThan(12);
    expect(readFileSync(`/proc/${started()?.pid}/cmdline`, 'utf8')).toContain('sleep 60');
    expect(started()).toMatchObject({ sandbox: 'full', missing: [] });
    run.kill();
    await ended;
  });

  test('shares its network with nothing when the network is off, and has a loopback of its own', async () => {
    const offline = { ...inCell, policy: { ...policy, network: false } };
    await ready(offline);
    const script = `python3 -c "import socket
s = socket.create_server(('127.0.0.1', 0))
c = socket.create_connection(s.getsockname())
print(open('/proc/net/dev').read().count(':'), 'served')"`;
    const { ended, output } = watch(launcher, script, offline);
    expect(await ended).toEqual({ type: 'exit', code: 0, left: 0 });
    expect(output()).toBe('1 served\n');
  });

  test('runs again when a granted directory has been replaced, and shows the new one', async () => {
    const other = place();
    const there = { policy: other.policy, cwd: other.work };
    await ready(there);
    renameSync(other.work, `${other.work}.old`);
    mkdirSync(other.work);
    writeFileSync(join(other.work, 'new'), 'new');
    for (const _ of [1, 2]) {
      const { ended, output } = watch(launcher, 'ls', { ...inCell, ...there });
      expect(await ended).toEqual({ type: 'exit', code: 0, left: 0 });
      expect(output()).toBe('new\n');
      await ready(there);
    }
    rmSync(other.root, { recursive: true });
  });

  test('goes on in a cell that was given up for a newer one', async () => {
    const first = watch(launcher, 'echo ready; sleep 1; echo done', inCell);
    await until(() => first.output() !== '');
    for (let n = 0; n < 9; n += 1) {
      const dir = join(work, `d${n}`);
      mkdirSync(dir);
      await watch(launcher, 'true', { ...inCell, cwd: dir }).ended;
    }
    expect(await first.ended).toEqual({ type: 'exit', code: 0, left: 0 });
    expect(first.output()).toBe('ready\ndone\n');
  });

  test('keeps /tmp from call to call and from cell to cell, whatever a tool leaves there', async () => {
    const other = place();
    const tmp = join(other.root, 'kept');
    mkdirSync(tmp);
    const there = { ...inCell, policy: other.policy, cwd: other.work, tmp };
    const [, , first] = other.work.split('/');
    const said = async (script: string): Promise<string> => {
      const { ended, output } = watch(launcher, script, there);
      expect(await ended).toMatchObject({ type: 'exit', code: 0 });
      return output();
    };
    expect(await said(`echo kept > /tmp/file; ls -d /tmp/file /tmp/${first}`)).toBe(`/tmp/file\n/tmp/${first}\n`);
    await ready(there);
    expect(await said(`cat /tmp/file; touch /tmp/${first}/x 2>&1 | grep -o 'Read-only'; touch "$PWD/mine"`)).toBe('kept\nRead-only\n');
    mkdirSync(join(other.root, 'work/sub'));
    for (const left of [`touch /tmp/${first}x`, `ln -s /usr /tmp/link`]) await said(left);
    rmSync(join(tmp, first ?? ''), { recursive: true });
    writeFileSync(join(tmp, first ?? ''), 'in the way');
    const anew = { ...there, cwd: join(other.work, 'sub') };
    expect(await watch(launcher, 'cat /tmp/file; ls ../mine', anew).ended).toMatchObject({ type: 'exit', code: 0 });
    rmSync(other.root, { recursive: true });
  });

  test('says why when the cell cannot be made', async () => {
    const demanding = { ...policy, bestEffort: false, grants: [{ path: '/nowhere', access: 'ro' as const, origin: '' }] };
    const end = await watch(launcher, 'true', { ...inCell, policy: demanding }).ended;
    expect(end).toMatchObject({ type: 'failed', step: 'landlock', message: expect.stringContaining('/nowhere') });
  });

  test('dies with its cell', async () => {
    await ready();
    const { ended, output, started } = watch(launcher, '(setsid sleep 61 &); echo ready; sleep 60', inCell);
    await until(() => output() !== '');
    const pid = started()?.pid ?? 0;
    await launcher.close();
    await ended;
    expect(isAlive(pid)).toBe(false);
  });
});
