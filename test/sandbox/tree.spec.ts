import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { encodeRunOrder } from '#sandbox';
import { packageRoot } from '#config';
import { identities, isGone, World } from './world.js';

const eventually = async (condition: () => boolean): Promise<boolean> => {
  for (let tries = 0; tries < 500 && !condition(); tries++) await new Promise((resolve) => setTimeout(resolve, 10));
  return condition();
};

const pidsIn = (text: string): readonly number[] => [...text.matchAll(/pid=(\d+)/g)].map((match) => Number(match[1]));

describe.each(identities)('the processes of a tool that runs as %s', (_name, uid) => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  const shell = (script: string, graceMs = 2000) => world.start(['sh', '-c', script], { graceMs });

  it('reports the process, its group and its session, then the end', async () => {
    const { text, reports, code } = await world.run(['sh', '-c', 'cut -d" " -f1,5,6 /proc/$$/stat; exit 7']);
    const [started, end] = reports;
    const pid = started?.type === 'started' ? started.pid : 0;
    expect(text).toBe(`${pid} ${pid} ${pid}\n`);
    expect(end).toEqual({ type: 'exit', code: 7, left: 0 });
    expect(code).toBe(7);
  });

  it('reports a signal, and 128 more as its own code', async () => {
    const { last, code } = await world.run(['sh', '-c', 'kill -SEGV $$']);
    expect(last).toEqual({ type: 'signal', signal: 11, left: 0 });
    expect(code).toBe(139);
  });

  it('does not wait for a background child that holds the output, and kills it', async () => {
    const begun = Date.now();
    const { text, last } = await world.run(['sh', '-c', 'sleep 60 & echo pid=$!']);
    expect(Date.now() - begun).toBeLessThan(10_000);
    expect(last).toEqual({ type: 'exit', code: 0, left: 1 });
    expect(pidsIn(text).map(isGone)).toEqual([true]);
  });

  it('lets a background child say its last words', async () => {
    const script = '(sleep 0.02; echo last; exec sleep 60) & exit 0';
    let text = '';
    // A busy machine may give the child no turn in its 100 ms.
    for (let tries = 0; tries < 10 && text === ''; tries++) text = (await world.run(['sh', '-c', script])).text;
    expect(text).toBe('last\n');
  });

  it('ends a background child that never stops writing', async () => {
    const { last, output } = await world.run(['sh', '-c', 'yes & exit 3']);
    expect(last).toEqual({ type: 'exit', code: 3, left: 1 });
    expect(output.length).toBeGreaterThan(0);
  });

  it('kills what left the session by a double fork', async () => {
    const { text, last } = await world.run(['sh', '-c', 'setsid sh -c "sleep 60 & echo pid=\\$! pid=\\$\\$; wait" & sleep 0.3']);
    expect(pidsIn(text).map(isGone)).toEqual([true, true]);
    expect(last).toMatchObject({ type: 'exit', code: 0 });
  });

  it('delivers everything that was written before the end, however slowly it is read', async () => {
    const running = shell('head -c 3000000 /dev/zero; exit 5');
    running.outputStream.pause();
    await new Promise((resolve) => setTimeout(resolve, 700));
    running.outputStream.resume();
    const { output, last } = await running.outcome;
    expect(output.length).toBe(3_000_000);
    expect(last).toEqual({ type: 'exit', code: 5, left: 0 });
  });

  it('delivers what still lies in any buffer when the tool has long ended', async () => {
    const sizes = [120_000, 180_000, 240_000, 300_000, 360_000];
    const late = sizes.map(async (size) => {
      const running = shell(`head -c ${size} /dev/zero`);
      running.outputStream.pause();
      await new Promise((resolve) => setTimeout(resolve, 1000));
      running.outputStream.resume();
      return (await running.outcome).output.length;
    });
    expect(await Promise.all(late)).toEqual(sizes);
  });

  it('SIGTERM: the whole tree may end in its own way', async () => {
    const running = shell(
      '(trap "echo bye; exit" TERM; while :; do sleep 0.05; done) & setsid sh -c "trap \\"echo too; exit\\" TERM; while :; do sleep 0.05; done" & echo ready; wait',
      20_000,
    );
    await running.until(/ready/);
    await new Promise((resolve) => setTimeout(resolve, 300));
    running.child.kill('SIGTERM');
    const { text, last } = await running.outcome;
    expect(text).toMatch(/^bye$/m);
    expect(text).toMatch(/^too$/m);
    expect(last).toEqual({ type: 'signal', signal: 15, left: 0 });
  });

  it('SIGTERM: nobody is passed over because the tool itself is gone at once, however often that is tried', async () => {
    const once = async (): Promise<string> => {
      const running = shell('setsid sh -c "trap \\"echo too; exit\\" TERM; echo up; while :; do sleep 0.02; done" & wait', 3000);
      await running.until(/up/);
      running.child.kill('SIGTERM');
      return (await running.outcome).text;
    };
    for (let round = 0; round < 8; round++) {
      const texts = await Promise.all(Array.from({ length: 5 }, once));
      for (const text of texts) expect(text).toMatch(/^too$/m);
    }
  });

  it('SIGTERM ignored: killed after the grace', async () => {
    const running = shell('trap "" TERM; echo pid=$$; while :; do sleep 0.05; done', 300);
    const pids = pidsIn((await running.until(/pid=\d+\n/))[0]);
    const begun = Date.now();
    running.child.kill('SIGTERM');
    expect((await running.outcome).last).toEqual({ type: 'signal', signal: 9, left: 0 });
    expect(Date.now() - begun).toBeGreaterThanOrEqual(290);
    expect(pids.map(isGone)).toEqual([true]);
  });

  it('SIGQUIT: killed at once, grace or not', async () => {
    const running = shell('trap "" TERM QUIT; sleep 60 & echo pid=$$ pid=$!; wait', 600_000);
    const pids = pidsIn((await running.until(/pid=\d+ pid=\d+\n/))[0]);
    running.child.kill('SIGTERM');
    running.child.kill('SIGQUIT');
    expect((await running.outcome).last).toEqual({ type: 'signal', signal: 9, left: 0 });
    expect(pids.map(isGone)).toEqual([true, true]);
  });

  it.each(['outputStream', 'reportStream'] as const)('a reader that goes away (%s) ends the tree', async (stream) => {
    const running = shell('echo pid=$$; while :; do echo more; sleep 0.02; done');
    const pids = pidsIn((await running.until(/pid=\d+\n/))[0]);
    running[stream].destroy();
    await running.outcome;
    expect(pids.map(isGone)).toEqual([true]);
  });

  it('a helper that is killed takes the tool with it', async () => {
    const running = shell('echo pid=$$; while :; do sleep 0.05; done');
    const pids = pidsIn((await running.until(/pid=\d+\n/))[0]);
    running.child.kill('SIGKILL');
    await running.outcome;
    expect(await eventually(() => pids.every(isGone))).toBe(true);
  });

  it('a caller that is killed takes the tree with it', async () => {
    const order = encodeRunOrder(world.order(['sh', '-c', 'setsid sleep 60 & echo pid=$$ pid=$!; wait']));
    const file = world.write('order', order);
    const caller = spawn(process.execPath, [join(packageRoot(), 'test/sandbox/fixtures/parent.mjs'), world.helper, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [chunk] = await once(caller.stdout, 'data');
    const pids = pidsIn(String(chunk));
    caller.kill('SIGKILL');
    expect(pids.length).toBe(2);
    expect(await eventually(() => pids.every(isGone))).toBe(true);
  });
});
