import { setTimeout as sleep } from 'node:timers/promises';
import { Client, NinepServer, openMode, type ServerLimits } from '#ninep';
import { ServedBench } from '#testkit';
import {
  ask,
  command,
  control,
  data,
  DataBuffer,
  dir,
  latest,
  LatestValue,
  message,
  mount,
  PAUSE_MS,
  queue,
  settings,
  text,
} from '#virtfs';
import { TreeFileServer } from './tree-file-server.js';

const LIMIT = 100_000;
const REFUSAL = 'i/o error: too much is written and not finished; close some of the files first';

/** Files of every kind that is written to. */
class World {
  readonly buffer = new DataBuffer(10 * LIMIT);
  readonly taken: number[] = [];
  readonly newest = new LatestValue();
}

const namespace = dir<World>({
  message: message('Takes', (world, said) => void world.taken.push(said.length)),
  refuses: message('Refuses', () => {
    throw new Error('never');
  }),
  text: text<World>(
    'Text',
    () => '',
    (world, said) => void world.taken.push(said.length),
  ),
  ask: ask<World>('Answers', (_world, said) => String(said.length)),
  ctl: control<World>('Control', { note: command<World>('Note', (world, said) => void world.taken.push(said.length)) }),
  fifo: queue<World>('Queue', (world) => ({ push: (said) => void world.taken.push(said.length), pop: () => undefined })),
  feed: latest<World>('Newest', (world) => world.newest),
  cfg: settings<World>('Settings', { read: () => '', apply: (world, lines) => void world.taken.push(lines.join('').length) }),
  data: data<World>('Data', (world) => world.buffer),
});

describe('what a connection has written and not finished', () => {
  let world: World;
  let bench: ServedBench;
  const half = Buffer.alloc(LIMIT / 2 + 1, 'x');

  beforeEach(async () => {
    world = new World();
    const files = new TreeFileServer(mount(namespace, world), { listen: [] }, {});
    const limits: Partial<ServerLimits> = { maxUnfinishedBytesPerConnection: LIMIT };
    bench = await ServedBench.start(files, { limits });
  });
  afterEach(() => bench.close());

  const opened = (client: Client, path: string) => client.open(path, path === 'message' ? openMode.write : openMode.readWrite);

  it.each(['message', 'text', 'ask', 'ctl', 'fifo', 'feed', 'cfg'])('is bounded over all its files: %s', async (path) => {
    const client = await bench.dial();
    const files = await Promise.all([opened(client, path), opened(client, path), opened(client, 'message')]);
    await files[0]?.write(0, half);
    await expect(files[1]?.write(0, half)).rejects.toThrow(REFUSAL);
    await expect(files[2]?.write(0, half)).rejects.toThrow(REFUSAL);
    const other = await bench.dial();
    await (await opened(other, path)).write(0, half);
    await Promise.allSettled([files[0]?.clunk()]);
    await files[1]?.write(0, half);
  });

  it('does not grow by what has taken effect: lines, answers, changes, data', async () => {
    const client = await bench.dial();
    const [ctl, asking, changing, bytes] = await Promise.all(['ctl', 'ask', 'text', 'data'].map((path) => opened(client, path)));
    for (let round = 0; round < 5; round++) {
      await ctl?.write(0, Buffer.from(`note ${'x'.repeat(30_000)}\nnote ${'y'.repeat(30_000)}\n`));
      for (const file of [asking, changing]) {
        await file?.write(0, half.subarray(0, 40_000));
        await file?.read(0, 100);
      }
      await bytes?.write(0, half);
    }
    expect(world.taken.filter((length) => length === 30_000)).toHaveLength(10);
  });

  it('does not grow by what took effect in a pause', async () => {
    const client = await bench.dial();
    const feed = await opened(client, 'feed');
    for (let round = 0; round < 3; round++) {
      await feed.write(0, half);
      await sleep(2 * PAUSE_MS + 50);
    }
    await feed.write(0, half);
    await expect(feed.write(half.length, half)).rejects.toThrow(REFUSAL);
  });

  it('is given back by a message that fails, and by the end of a fid', async () => {
    const client = await bench.dial();
    for (let round = 0; round < 5; round++) {
      const file = await client.open('refuses', openMode.write);
      await file.write(0, half);
      await expect(file.clunk()).rejects.toThrow('i/o error');
    }
    expect(bench.bugs).toHaveLength(5);
  });

  it('may be 64 MiB where nothing else is said', async () => {
    const server = new NinepServer(new TreeFileServer(mount(namespace, world), { listen: [] }, {}));
    const address = await server.listen({ type: 'unix', path: `${bench.directory}/other` });
    const client = await Client.dial({ address, uname: 'u', aname: '' });
    const files = await Promise.all(Array.from({ length: 5 }, () => opened(client, 'message')));
    for (const file of files.slice(0, 4)) await file.write(0, Buffer.alloc(16 * 1024 * 1024));
    await expect(files[4]?.write(0, Buffer.from('x'))).rejects.toThrow(REFUSAL);
    client.close();
    await server.close();
  });
});
