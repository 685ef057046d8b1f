import { execFileSync } from 'node:child_process';
import { readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Mount, MountError } from '#fuse';
import { plainOpening, ServedDir, ServedFile } from '#testkit';
import { processesWith } from '../e2e/ollie.js';
import { describeMount, isMounted, signalIfThere } from './describe-mount.js';
import { HELPER, MountBench } from './mount-bench.js';

jest.setTimeout(60_000);

describeMount('a mount', () => {
  const closings: string[] = [];
  let bench: MountBench;
  let root: ServedDir;

  beforeEach(async () => {
    closings.length = 0;
    root = new ServedDir('/', 1);
    const close = (reason: string) => void closings.push(reason);
    root.add(new ServedFile('file', 2, 0o444, (file) => ({ ...plainOpening(file), close })));
    bench = await MountBench.start(root, 'in process');
  });
  afterEach(() => bench.close());

  /** A process with the file open, once it has. */
  async function holder() {
    const held = bench.start('bash', '-c', 'exec 3<file; sleep 60 & trap "kill $!" TERM; echo open >&2; wait');
    await new Promise((resolve) => held.child.stderr.once('data', resolve));
    return held;
  }

  const helper = () => processesWith(`mount ${bench.directory}`).filter(({ command }) => command.includes('ollie-sandbox'));

  it('has closed every file when it has ended, also those that others hold open', async () => {
    const { child, ended } = await holder();
    await bench.mount?.close();
    expect([closings, bench.mount?.isClosing, isMounted(bench.directory), helper()]).toEqual([['hangup'], true, false, []]);
    child.kill();
    await ended;
  });

  it('ends with its helper, and leaves no dead one behind', async () => {
    const { child, ended } = await holder();
    const pids = helper().map(({ pid }) => pid);
    for (const pid of pids) signalIfThere(pid); // one of the two goes with the other
    await bench.mount?.ended;
    expect([closings, bench.mount?.isClosing, isMounted(bench.directory)]).toEqual([['hangup'], false, false]);
    child.kill();
    await ended;
  });

  it('has ended also where nobody can take the dead one away, and tells why', async () => {
    const script = join(bench.folder, 'helper');
    writeFileSync(script, `#!/bin/sh\n[ "$1" = mount ] && exec ${HELPER} "$@"\necho too busy >&2\nexit 1\n`, { mode: 0o755 });
    const directory = join(bench.folder, 'stuck');
    const onBug = (error: unknown) => bench.bugs.push(String(error));
    const mount = await Mount.start({ tree: { attach: () => ({ root }) }, directory, helper: script, onBug });
    for (const { pid } of processesWith(`mount ${directory}`)) process.kill(pid, 'SIGKILL');
    await mount.ended;
    execFileSync(HELPER, ['umount', directory]);
    expect(bench.bugs).toEqual(['MountError: too busy']);
  });

  it('has a helper that keeps no directory busy and knows nothing of our environment', () => {
    const [one] = helper();
    expect(readlinkSync(`/proc/${String(one?.pid)}/cwd`)).toBe('/');
    expect(readFileSync(`/proc/${String(one?.pid)}/environ`, 'utf8')).toBe('');
  });

  it('cannot be made without its helper, which is said in one sentence', async () => {
    const directory = join(bench.folder, 'other');
    const options = { tree: { attach: () => ({ root }) }, directory, onBug: (error: unknown) => bench.bugs.push(error) };
    const made = Mount.start({ ...options, helper: '/nonexistent/helper' });
    await expect(made).rejects.toThrow(MountError);
    await expect(made).rejects.toThrow(`${directory}: the helper cannot be started: spawn /nonexistent/helper ENOENT`);
    await expect(Mount.start({ ...options, helper: '/bin/false' })).rejects.toThrow(`${directory}: the helper ended`);
    expect([isMounted(directory), bench.bugs]).toEqual([false, []]);
  });
});
