import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeRunOrder } from '#sandbox';
import { runHelper, startHelper } from './run-helper.js';
import { identities, isGone, World } from './world.js';

const uid = identities[0]?.[1] ?? 0;
/** The helper must not wait for anybody; these tests give it this long on a busy machine. */
const SOON_MS = 10_000;

describe('a helper with a difficult caller', () => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  it.each(['SIGTERM', 'SIGQUIT', 'SIGHUP'] as const)('that ignores and blocks signals: %s works all the same', async (signal) => {
    const running = world.start(['sh', '-c', 'echo ready; exec sleep 60'], {}, { through: 'exec env --ignore-signal --block-signal' });
    await running.until(/ready/);
    running.child.kill(signal);
    expect((await running.outcome).last).toEqual({ type: 'signal', signal: signal === 'SIGQUIT' ? 9 : 15, left: 0 });
  });

  it.each(['SIGUSR1', 'SIGALRM', 'SIGXCPU', 'SIGTSTP'] as const)('that sends %s: the tool runs on', async (signal) => {
    const running = world.start(['sh', '-c', 'echo ready; exec sleep 0.5']);
    await running.until(/ready/);
    running.child.kill(signal);
    expect((await running.outcome).last).toEqual({ type: 'exit', code: 0, left: 0 });
  });

  it('that never ends its order: SIGTERM ends the helper, and nothing has run', async () => {
    const child = spawn(world.helper, ['run'], { env: {}, stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'] });
    const order = encodeRunOrder(world.order(['echo', 'ran']));
    const writer = child.stdio[3];
    if (writer && 'write' in writer) writer.write(order.subarray(0, order.length - 5));
    await sleep(300);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });

  it('that does not read reports: the tool runs and ends', async () => {
    const grants = Array.from(
      { length: 3000 },
      (_, index) => ({ path: `/none/${index}${'x'.repeat(200)}`, access: 'ro', origin: '' }) as const,
    );
    const running = world.start(['true'], { policy: { ...world.policy, grants: [...world.policy.grants, ...grants] } });
    running.reportStream.pause();
    await once(running.child, 'exit');
    running.reportStream.resume();
    const [started, end] = (await running.outcome).reports;
    expect(end).toEqual({ type: 'exit', code: 0, left: 0 });
    const notes = started?.type === 'started' ? (started.notes ?? []) : [];
    expect(notes[0]).toContain('not granted');
    expect(notes.at(-1)).toBe('...');
  });

  it('that does not read output: SIGQUIT ends the run', async () => {
    const running = world.start(['sh', '-c', 'echo pid=$$; exec yes']);
    const pid = Number((await running.until(/pid=(\d+)\n/))[1]);
    running.outputStream.pause();
    await sleep(300);
    const begun = performance.now();
    running.child.kill('SIGQUIT');
    await once(running.child, 'exit');
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
    expect(isGone(pid)).toBe(true);
    running.outputStream.resume();
    expect((await running.outcome).last).toEqual({ type: 'signal', signal: 9, left: 0 });
  });

  it('that gives a pipe as output and is slow to read it: everything arrives', async () => {
    const order = world.write('order', encodeRunOrder(world.order(['head', '-c', '1000000', '/dev/zero'])));
    const script = '"$0" run 3<"$1" 4>/dev/null | (sleep 0.5; wc -c)';
    const shell = spawn('/bin/sh', ['-c', script, world.helper, order], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect((await text(shell.stdout)).trim()).toBe('1000000');
  });

  it('that gives no standard descriptors: the tool has them', async () => {
    const script = 'for n in 0 1 2; do test -e /proc/$$/fd/$n || exit 1; done; echo into nothing; exit 5';
    const order = world.write('order', encodeRunOrder(world.order(['sh', '-c', script])));
    const shell = spawn('/bin/sh', ['-c', '"$0" run 3<"$1" 4>/dev/null <&- >&- 2>&-', world.helper, order]);
    expect(await once(shell, 'exit')).toEqual([5, null]);
  });

  it('that lives with the /proc of other processes: nothing runs', async () => {
    const through = `exec unshare ${uid === 0 ? '' : '--map-root-user'} --pid --fork`;
    const { text: output, last } = await runHelper(encodeRunOrder(world.order(['echo', 'ran'])), { ...world.options(), through });
    expect([output, last]).toEqual(['', { type: 'failed', step: 'proc', message: expect.stringContaining('/proc') }]);
  });
});

describe('the last moments of a tool', () => {
  let world: World;
  beforeAll(() => (world = new World(uid)));
  afterAll(() => world.remove());

  it('SIGTERM reaches what the tool has left behind, grace or not', async () => {
    const script = '(while kill -0 $$ 2>/dev/null; do :; done; while :; do echo left; done) & exit 3';
    const running = world.start(['sh', '-c', script], { graceMs: 60_000 });
    await running.until(/left/);
    const begun = performance.now();
    running.child.kill('SIGTERM');
    expect((await running.outcome).last).toMatchObject({ type: 'exit', code: 3 });
    expect(performance.now() - begun).toBeLessThan(SOON_MS);
  });

  it('a tool that closes its output runs to its end', async () => {
    const { text: output, last } = await world.run(['sh', '-c', 'echo said; exec >&- 2>&-; sleep 0.3; exit 4']);
    expect([output, last]).toEqual(['said\n', { type: 'exit', code: 4, left: 0 }]);
  });

  it('the longest argument arrives whole', async () => {
    const { text: output } = await world.run(['sh', '-c', 'echo ${#1}', 'sh', 'x'.repeat(131_071)]);
    expect(output).toBe('131071\n');
  });

  it('an order of more than 8 MiB is refused', async () => {
    const order = encodeRunOrder(world.order(['true', 'x'.repeat(8 << 20)]));
    expect((await startHelper(order, world.options()).outcome).last).toMatchObject({
      step: 'order',
      message: expect.stringContaining('8 MiB'),
    });
  });
});
