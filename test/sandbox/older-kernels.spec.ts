import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { probe } from '#sandbox';
import { reachingWorld } from './reaching-world.js';
import { identities, isGone, World } from './world.js';

const uid = identities[0]?.[1] ?? 0;

/** One helper that takes the kernel for what its own file name says; the shipped one has no such switch. */
function build(folder: string): string {
  const target = join(folder, 'helper');
  const { status, stderr } = spawnSync(join(packageRoot(), 'native/build.sh'), [target], {
    env: { ...process.env, CFLAGS: '-O0 -DOLLIE_TEST_KERNEL' },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return target;
}

describe('the helper on older kernels', () => {
  const folder = mkdtempSync('/tmp/ollie-kernels-');
  const worlds: World[] = [];
  let helper: string;
  const worldOn = (kernel: string): World => {
    const world = new World(uid, helper, kernel);
    worlds.push(world);
    return world;
  };
  beforeAll(() => (helper = build(folder)), 60_000);
  afterAll(() => {
    for (const world of worlds) world.remove();
    rmSync(folder, { recursive: true });
  });

  it('without Landlock runs nothing, best effort or not, unless it is told to enforce nothing', async () => {
    const world = worldOn('abi-0');
    const { text, last, code } = await world.run(['sh', '-c', 'echo ran']);
    expect([text, code]).toEqual(['', 125]);
    expect(last).toEqual({
      type: 'failed',
      step: 'landlock',
      message: 'landlock unavailable: start toolsrv with --yolo to run unsandboxed',
    });
    expect((await world.run(['echo', 'ran'], { policy: undefined })).text).toBe('ran\n');
    expect((await probe(world.helper, new AbortController().signal)).landlock).toBe(0);
  });

  it.each([
    [1, ['cells', 'truncate', 'device-ioctl', 'signals']],
    [5, ['cells', 'signals']],
  ])('Landlock ABI %i under best effort: runs, and names what is missing', async (abi, missing) => {
    const world = worldOn(`abi-${abi}`);
    const { text, reports } = await world.run(['sh', '-c', 'cat ~/.ssh/id_*; echo ran >f; cat f'], { policy: world.offline() });
    expect(reports[0]).toMatchObject({ type: 'started', sandbox: 'partial', missing });
    expect(text).toMatch(/ran\n$/);
    expect(text).not.toContain('PRIVATE');
  });

  it('Landlock ABI 5 without best effort: refused by the name of the layer', async () => {
    const world = worldOn('abi-5');
    const { text, last } = await world.run(['echo', 'ran'], { policy: { ...world.policy, bestEffort: false } });
    expect([text, last]).toEqual([
      '',
      { type: 'failed', step: 'landlock', message: 'this kernel cannot enforce signals, and general.best_effort is false' },
    ]);
  });

  describe('without a system call filter', () => {
    const at = reachingWorld(uid, () => new World(uid, helper, 'no-seccomp'));

    it('names what is open, closes what Landlock can, and is refused without best effort', async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      const port = String(typeof address === 'object' ? address?.port : '');
      const policy = at.world.offline();
      const { text, reports } = await at.world.run([at.reach, 'tcp', port], { policy });
      expect(reports[0]).toMatchObject({ missing: expect.arrayContaining(['cells', 'seccomp', 'network']) });
      expect(text).toBe('EACCES\n');
      expect((await at.world.run([at.reach, 'listen', '0'], { policy })).text).toBe('EACCES\n');
      expect((await at.world.run([at.reach, 'tcp', port])).text).toBe('reached\n');
      server.close();
      expect((await at.world.run(['true'], { policy: { ...policy, bestEffort: false } })).last).toMatchObject({
        type: 'failed',
        step: 'landlock',
      });
    });
  });

  it('without lists of children in /proc finds descendants all the same', async () => {
    const world = worldOn('no-children');
    const { text, last } = await world.run(['sh', '-c', 'setsid sleep 60 & sleep 60 & echo pid=$!']);
    expect(last).toEqual({ type: 'exit', code: 0, left: 2 });
    expect(isGone(Number(text.match(/pid=(\d+)/)?.[1]))).toBe(true);
  });
});
