import { createConnection, type Socket } from 'node:net';
import { once } from 'node:events';
import { eventually, plainOpening, ServedBench, ServedFile, ServedTree } from '#testkit';
import { encodeMessage } from './codec.js';
import { NOFID, NOTAG, type Fcall } from './fcall.js';

const start: readonly Fcall[] = [
  { type: 'Tversion', tag: NOTAG, msize: 65536, version: '9P2000' },
  { type: 'Tattach', tag: 1, fid: 0, afid: NOFID, uname: 'glenda', aname: '' },
  { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: ['big'] },
  { type: 'Topen', tag: 3, fid: 1, mode: 0 },
];

describe('a client that says no more', () => {
  let bench: ServedBench;

  beforeEach(async () => {
    const tree = new ServedTree();
    tree.root.add(
      new ServedFile('big', 5000, 0o444, (file) => ({ ...plainOpening(file), read: (_offset, count) => Buffer.alloc(count, 'x') })),
    );
    bench = await ServedBench.start(tree, { limits: { lingerMs: 1000 } });
  });
  afterEach(() => bench.close());

  function say(reads: number): Socket {
    const socket = createConnection({ path: bench.path, allowHalfOpen: true });
    for (const message of start) socket.write(encodeMessage(message));
    for (let tag = 10; tag < 10 + reads; tag++) socket.write(encodeMessage({ type: 'Tread', tag, fid: 1, offset: 0, count: 32_000 }));
    return socket;
  }

  it('is still told what it had asked for', async () => {
    const socket = say(20);
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    socket.end();
    await once(socket, 'end');
    expect(bytes).toBeGreaterThan(20 * 32_000);
  });

  it('is told all of it, though it takes its time', async () => {
    const socket = say(30).pause();
    await once(socket, 'connect');
    socket.end();
    let bytes = 0;
    const take = (): number => Buffer.from((socket.read() as Uint8Array | null) ?? '').length;
    const reading = setInterval(() => (bytes += take()), 50);
    await once(socket, 'end');
    clearInterval(reading);
    expect(bytes).toBeGreaterThan(30 * 32_000);
  });

  it('and does not listen either keeps its place for a moment only', async () => {
    const socket = say(20).pause();
    await once(socket, 'connect');
    await eventually(() => bench.server.connections === 1);
    socket.end();
    await eventually(() => bench.server.connections === 0);
    expect(bench.bugs).toEqual([]);
    socket.destroy();
  });
});
