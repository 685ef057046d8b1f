import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '#config';
import { probe } from '#sandbox';
import { identities, isGone, World } from './world.js';

const uid = identities[0]?.[1] ?? 0;

/** The helper as it behaves on another kernel; the shipped one has no such switch. */
function buildFor(folder: string, flag: string): string {
  const target = join(folder, flag);
  const { status, stderr } = spawnSync(join(packageRoot(), 'native/build.sh'), [target], {
    env: { ...process.env, CFLAGS: `-O0 -D${flag}` },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return target;
}

// Each case compiles a helper of its own.
jest.setTimeout(60_000);

describe('the helper on older kernels', () => {
  const folder = mkdtempSync('/tmp/ollie-kernels-');
  const worlds: World[] = [];
  const worldWith = (flag: string): World => {
    const world = new World(uid, buildFor(folder, flag));
    worlds.push(world);
    return world;
  };
  afterAll(() => {
    for (const world of worlds) world.remove();
    rmSync(folder, { recursive: true });
  });

  it('without Landlock runs nothing, best effort or not, unless it is told to enforce nothing', async () => {
    const world = worldWith('OLLIE_TEST_ABI=0');
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
    const world = worldWith(`OLLIE_TEST_ABI=${abi}`);
    const { text, reports } = await world.run(['sh', '-c', 'cat ~/.ssh/id_*; echo ran >f; cat f'], { policy: world.offline() });
    expect(reports[0]).toMatchObject({ type: 'started', sandbox: 'partial', missing });
    expect(text).toMatch(/ran\n$/);
    expect(text).not.toContain('PRIVATE');
  });

  it('Landlock ABI 5 without best effort: refused by the name of the layer', async () => {
    const world = worldWith('OLLIE_TEST_ABI=5');
    const { text, last } = await world.run(['echo', 'ran'], { policy: { ...world.policy, bestEffort: false } });
    expect([text, last]).toEqual([
      '',
      { type: 'failed', step: 'landlock', message: 'this kernel cannot enforce signals, and general.best_effort is false' },
    ]);
  });

  it('without lists of children in /proc finds descendants all the same', async () => {
    const world = worldWith('OLLIE_TEST_NO_CHILDREN');
    const { text, last } = await world.run(['sh', '-c', 'setsid sleep 60 & sleep 60 & echo pid=$!']);
    expect(last).toEqual({ type: 'exit', code: 0, left: 2 });
    expect(isGone(Number(text.match(/pid=(\d+)/)?.[1]))).toBe(true);
  });
});
