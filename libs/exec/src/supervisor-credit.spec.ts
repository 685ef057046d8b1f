import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { findHelper } from '#sandbox';
import { until } from './describe-launcher.js';
import { markedOrder } from './run-mark.js';
import { FrameReader, numberFrame, spawnFrame, type Frame } from './supervisor-frames.js';

const FIRST_CREDIT = 256 * 1024;

/** The supervisor itself, with a peer that gives no credit by itself. */
async function serving() {
  const child = spawn(findHelper() ?? '', ['serve'], { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const control = child.stdio[3];
  if (!(control instanceof Socket)) throw new TypeError('descriptor 3 of a child is no socket');
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => void frames.push(frame));
  control.on('data', (chunk: Buffer) => reader.push(chunk));
  await until(() => frames.some(({ type }) => type === 'H'));
  return {
    run: (id: number, argv: readonly string[]) => {
      const order = { policy: undefined, cell: false, argv, cwd: '/', env: { PATH: '/usr/bin:/bin' }, graceMs: 300 };
      control.write(spawnFrame(id, undefined, markedOrder(order).encoded));
    },
    give: (id: number, bytes: number) => control.write(numberFrame('C', id, bytes)),
    outputOf: (id: number) =>
      frames.filter((frame) => frame.type === 'O' && frame.id === id).reduce((sum, { payload }) => sum + payload.length, 0),
    hasEnded: (id: number) => frames.some((frame) => frame.type === 'X' && frame.id === id),
    close: async () => {
      control.destroy();
      await once(child, 'close');
    },
  };
}

describe('the credit of a job', () => {
  it('ends at 256 KiB unless more is given, while other jobs run', async () => {
    const supervisor = await serving();
    supervisor.run(1, ['yes']);
    await until(() => supervisor.outputOf(1) >= FIRST_CREDIT);
    supervisor.run(2, ['true']);
    await until(() => supervisor.hasEnded(2));
    expect(supervisor.outputOf(1)).toBe(FIRST_CREDIT);
    supervisor.give(1, 1000);
    await until(() => supervisor.outputOf(1) > FIRST_CREDIT);
    supervisor.run(3, ['true']);
    await until(() => supervisor.hasEnded(3));
    expect(supervisor.outputOf(1)).toBe(FIRST_CREDIT + 1000);
    await supervisor.close();
  });

  it('keeps what a job has left behind until it is given', async () => {
    const supervisor = await serving();
    supervisor.run(1, ['head', '-c', String(FIRST_CREDIT + 5000), '/dev/zero']);
    await until(() => supervisor.outputOf(1) >= FIRST_CREDIT);
    supervisor.run(2, ['true']);
    await until(() => supervisor.hasEnded(2));
    expect([supervisor.outputOf(1), supervisor.hasEnded(1)]).toEqual([FIRST_CREDIT, false]);
    supervisor.give(1, 64 * 1024);
    await until(() => supervisor.hasEnded(1));
    expect(supervisor.outputOf(1)).toBe(FIRST_CREDIT + 5000);
    await supervisor.close();
  });
});
