import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { eventually, ServedBench, ServedTree } from '#testkit';
import { encodeMessage } from './codec.js';
import { NOFID, NOTAG, type Fcall } from './fcall.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

async function heldBytes(): Promise<number> {
  for (let round = 0; round < 3; round++) {
    collect();
    await sleep(10);
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const VERSION: Fcall = { type: 'Tversion', tag: NOTAG, msize: 8192, version: '9P2000' };

describe('what a client makes the server hold', () => {
  let bench: ServedBench;
  let socket: Socket;
  let received = 0;

  beforeEach(async () => {
    bench = await ServedBench.start(new ServedTree());
    socket = connect(bench.path);
    received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    await once(socket, 'connect');
  });
  afterEach(async () => {
    socket.destroy();
    await bench.close();
  });

  async function send(bytes: Uint8Array, expected: number): Promise<void> {
    const wanted = received + expected;
    socket.write(bytes);
    await eventually(() => received >= wanted);
  }

  it('is not the sessions that it has ended, however many', async () => {
    const version = encodeMessage(VERSION);
    const thousand = Buffer.concat(Array.from({ length: 1000 }, () => version));
    await send(thousand, thousand.length);
    const before = await heldBytes();
    for (let round = 0; round < 100; round++) await send(thousand, thousand.length);
    expect((await heldBytes()) - before).toBeLessThan(2 << 20);
  });

  it('is of a short write that waits not more than a few times its own bytes', async () => {
    const opening: readonly Fcall[] = [
      VERSION,
      { type: 'Tattach', tag: 1, fid: 0, afid: NOFID, uname: 'glenda', aname: '' },
      { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: ['slow'] },
      { type: 'Topen', tag: 3, fid: 1, mode: 1 },
    ];
    await send(Buffer.concat(opening.map((message) => encodeMessage(message))), 80);
    const flushes = Buffer.concat(Array.from({ length: 7000 }, () => encodeMessage({ type: 'Tflush', tag: 60_000, oldtag: 59_999 })));
    const before = await heldBytes();
    for (let tag = 100; tag < 300; tag++) {
      const write = encodeMessage({ type: 'Twrite', tag, fid: 1, offset: 0, data: Buffer.from('x') });
      await send(Buffer.concat([write, flushes]), 7000 * 7);
    }
    expect((await heldBytes()) - before).toBeLessThan(2 << 20);
  });
});
