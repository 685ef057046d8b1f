import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, plainOpening, ServedBench, ServedFile, ServedTree, type Opening } from '#testkit';
import { encodeMessage } from './codec.js';
import { NOFID, NOTAG, type Fcall } from './fcall.js';

const MARK = 256 * 1024;
const COUNT = 32 * 1024;
const REQUESTS = 2000;
/** What the kernel may hold between two ends of a socket, and then some. */
const KERNEL = 1024 * 1024;

/** A file that counts how often it was read. */
class CountedFile extends ServedFile {
  reads = 0;

  constructor(isLate: boolean) {
    const opening: Opening = (file) => ({
      ...plainOpening(file),
      read: (_offset, count) => {
        this.reads++;
        const bytes = Buffer.alloc(count, 'x');
        return isLate ? Promise.resolve().then(() => bytes) : bytes;
      },
    });
    super('big', 5000, 0o444, opening);
  }
}

const start: readonly Fcall[] = [
  { type: 'Tversion', tag: NOTAG, msize: 65536, version: '9P2000' },
  { type: 'Tattach', tag: 1, fid: 0, afid: NOFID, uname: 'glenda', aname: '' },
  { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: ['big'] },
  { type: 'Topen', tag: 3, fid: 1, mode: 0 },
];

function flood(path: string): Socket {
  const socket = connect(path).pause();
  for (const message of start) socket.write(encodeMessage(message));
  for (let tag = 10; tag < 10 + REQUESTS; tag++) socket.write(encodeMessage({ type: 'Tread', tag, fid: 1, offset: 0, count: COUNT }));
  return socket;
}

/** Waits until `value` has stopped growing. */
async function settled(value: () => number): Promise<number> {
  for (let last = -1; last !== value() || last === 0; await sleep(100)) last = value();
  return value();
}

describe('a client that sends reads and takes no replies', () => {
  it.each([
    ['at once', false, MARK],
    ['a little later', true, MARK],
    ['at once, and the mark is below that of the socket', false, 1],
  ])('makes the server stop, and goes on where it was, when files answer %s', async (_when, isLate, highWaterBytes) => {
    const tree = new ServedTree();
    const big = tree.root.add(new CountedFile(isLate));
    const bench = await ServedBench.start(tree, { limits: { highWaterBytes } });
    const socket = flood(bench.path);
    const reads = await settled(() => big.reads);
    expect(reads * COUNT).toBeLessThan(2 * MARK + KERNEL + COUNT);

    const expected = REQUESTS * (COUNT + 11);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    for (let known = -1; received <= expected; known = received) await eventually(() => received > Math.min(known, expected));
    expect(big.reads).toBe(REQUESTS);
    socket.destroy();
    await bench.close();
  });
});

it('a client whose reads all wait is heard on, however much they may bring', async () => {
  const tree = new ServedTree();
  const bench = await ServedBench.start(tree, { limits: { highWaterBytes: 1 } });
  const socket = connect(bench.path);
  const tags = Array.from({ length: 20 }, (_, n) => 10 + n);
  const messages: readonly Fcall[] = [
    ...start.map((message) => (message.type === 'Twalk' ? { ...message, names: ['block'] } : message)),
    ...tags.map((tag): Fcall => ({ type: 'Tread', tag, fid: 1, offset: 0, count: 65525 })),
  ];
  socket.write(Buffer.concat(messages.map((message) => encodeMessage(message))));
  await eventually(() => tree.waiting >= tags.length);
  expect(tree.waiting).toBe(tags.length);
  socket.destroy();
  await bench.close();
});

it('a file that is open already is read no further in one turn than a client takes', async () => {
  const tree = new ServedTree();
  const big = tree.root.add(new CountedFile(false));
  const bench = await ServedBench.start(tree, { limits: { highWaterBytes: MARK } });
  const socket = connect(bench.path);
  let received = 0;
  socket.on('data', (chunk: Buffer) => (received += chunk.length));
  socket.write(Buffer.concat(start.map((message) => encodeMessage(message))));
  await settled(() => received);
  socket.pause();
  const reads = Array.from({ length: REQUESTS }, (_, n): Fcall => ({ type: 'Tread', tag: 10 + n, fid: 1, offset: 0, count: COUNT }));
  socket.write(Buffer.concat(reads.map((message) => encodeMessage(message))));
  expect((await settled(() => big.reads)) * COUNT).toBeLessThan(2 * MARK + KERNEL + COUNT);
  socket.destroy();
  await bench.close();
});
