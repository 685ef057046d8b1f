import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findHelper, parseHelperReport } from '#sandbox';
import { until } from './describe-launcher.js';
import { markedOrder } from './run-mark.js';
import { FrameReader, numberFrame, spawnFrame, type Frame } from './supervisor-frames.js';

const SIGQUIT = 3;
const helper = findHelper() ?? '';
const shell = (script: string): Uint8Array =>
  markedOrder({ policy: undefined, cell: false, argv: ['sh', '-c', script], cwd: '/', env: { PATH: '/usr/bin:/bin' }, graceMs: 300 })
    .encoded;

/** A stream that is paused still takes some. */
function readNothingFor(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** The supervisor itself, with a peer that may stop reading. */
async function serving(program = helper, args: readonly string[] = ['serve']) {
  const child = spawn(program, args, { env: {}, cwd: '/', stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const control = child.stdio[3];
  if (!(control instanceof Socket)) throw new TypeError('descriptor 3 of a child is no socket');
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => void frames.push(frame));
  control.on('data', (chunk: Buffer) => reader.push(chunk));
  await until(() => frames.some(({ type }) => type === 'H'));
  const of = (wanted: string, id: number): readonly Frame[] => frames.filter((frame) => frame.type === wanted && frame.id === id);
  const text = (wanted: string, id: number): string => Buffer.concat(of(wanted, id).map(({ payload }) => payload)).toString();
  return {
    child,
    run: (id: number, script: string, stdin?: Uint8Array) => control.write(spawnFrame(id, stdin, shell(script))),
    output: (id: number) => text('O', id),
    reports: (id: number) => text('R', id).split('\n').filter(Boolean).map(parseHelperReport),
    /** Types of all frames of a run, in their order. */
    frames: (id: number) =>
      frames
        .filter((frame) => frame.id === id)
        .map(({ type }) => type)
        .join(''),
    quit: (id: number) => control.write(numberFrame('K', id, SIGQUIT)),
    ends: (id: number) => of('X', id).map(({ payload }) => payload.readInt32LE(0)),
    close: async () => {
      control.destroy();
      await once(child, 'close');
    },
  };
}

describe('a start', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'starts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it.each([1, 2, 3, 4])('is told also when its time comes while the supervisor waits for its reader (%i)', async () => {
    const { child, run, output, reports, close } = await serving();
    const flag = join(folder, 'go');
    // More than the socket holds, but no more than there is credit for.
    run(1, `echo ready; until [ -e ${flag} ]; do sleep 0.01; done; head -c 256000 /dev/zero; sleep 60`);
    await until(() => output(1).includes('ready'));
    child.kill('SIGSTOP');
    writeFileSync(flag, '');
    await sleep(100);
    run(2, 'sleep 60');
    await sleep(20);
    child.kill('SIGCONT');
    readNothingFor(50);
    await until(() => output(1).length > 256_000);
    await sleep(100);
    expect(reports(2)).toMatchObject([{ type: 'started' }]);
    await close();
  });
});

describe('what a run has put out', () => {
  it('is told after its start, whenever the run is ended', async () => {
    const { run, quit, frames, ends, close } = await serving();
    const ids = Array.from({ length: 400 }, (_, n) => n + 1);
    for (let at = 0; at < ids.length; at += 4) {
      const some = ids.slice(at, at + 4);
      for (const id of some) run(id, 'while :; do echo a; done');
      await sleep(1 + (at % 3));
      for (const id of some) quit(id);
      while (some.some((id) => ends(id).length === 0)) await sleep(1);
    }
    expect(ids.map(frames).filter((types) => types.startsWith('O'))).toEqual([]);
    await close();
  });
});

describe('a run whose input finds no room', () => {
  it('has one end', async () => {
    const { run, reports, ends, close } = await serving('prlimit', ['--fsize=1000', helper, 'serve']);
    run(1, 'cat', Buffer.alloc(5000));
    run(2, 'exit 7');
    await until(() => ends(2).length > 0);
    await sleep(100);
    expect([ends(1), ends(2)]).toEqual([[125], [7]]);
    expect(reports(1)).toMatchObject([{ type: 'failed', step: 'input' }]);
    await close();
  });
});
