import { connect } from 'node:net';
import { eventually, ServedBench, ServedTree } from '#testkit';
import { decodeHead, encodeMessage, type Head } from './codec.js';
import { ninep2000L } from './dialect.js';
import { NOFID, NOTAG, NO_UID, type Fcall } from './fcall.js';
import { openMode } from './file-server.js';
import { Framer } from './frame.js';
import { EntryListing } from './linux/entry-listing.js';
import { Reader } from './reader.js';

/** Faults of other servers and clients that a conversation of a few lines cannot show; the others are in test/transcripts/faults. */
describe('what went wrong elsewhere', () => {
  let bench: ServedBench;
  let tree: ServedTree;
  beforeEach(async () => {
    tree = new ServedTree();
    bench = await ServedBench.start(tree);
  });
  afterEach(() => bench.close());

  it('big files and directories come whole through the smallest messages', async () => {
    const client = await bench.dial({ msize: 256 });
    const bytes = Buffer.from(Array.from({ length: 20_000 }, (_, n) => n % 251));
    await client.writeAll('data', bytes);
    expect(Buffer.from(await client.readAll('data')).equals(bytes)).toBe(true);
    const names = (await client.list('many')).map(({ name }) => name);
    expect(names).toEqual(Array.from({ length: 100 }, (_, n) => `entry${String(n).padStart(2, '0')}`));
  });

  it('a qid is the same in stat, listing, both dialects and on another connection', async () => {
    const [one, other] = [await bench.dial(), await bench.dial()];
    const { qid } = await one.stat('dir/a');
    const listed = (await other.list('dir')).find(({ name }) => name === 'a');
    expect(listed?.qid).toEqual(qid);
    expect((await other.stat('dir/a')).qid).toEqual(qid);
    const directory = tree.root.walk('dir');
    if (directory === undefined) throw new Error('no dir');
    const entries = Buffer.from(await new EntryListing(directory).read(2, 25));
    const entry = new Reader().reset(entries, 0, entries.length);
    expect({ type: entry.u8(), version: entry.u32(), path: entry.u64() }).toEqual(qid);
  });

  it('no request is dropped at a limit: each is answered, some with an error', async () => {
    const socket = connect(bench.path);
    const tags = Array.from({ length: 6000 }, (_, n) => 100 + n);
    const messages: readonly Fcall[] = [
      { type: 'Tversion', tag: NOTAG, msize: 8192, version: '9P2000.L' },
      { type: 'Tattach', tag: 1, fid: 0, afid: NOFID, uname: 'u', aname: '', uid: NO_UID },
      { type: 'Twalk', tag: 2, fid: 0, newfid: 1, names: ['block'] },
      { type: 'Tlopen', tag: 3, fid: 1, flags: openMode.read },
      ...tags.map((tag): Fcall => ({ type: 'Tread', tag, fid: 1, offset: 0, count: 10 })),
    ];
    for (const message of messages) socket.write(encodeMessage(message, ninep2000L));
    const answered = new Map<number, number>();
    socket.on('data', (chunk: Buffer) => {
      frames.push(chunk);
      while (frames.next(reader)) note(decodeHead(reader));
    });
    const frames = new Framer(() => 8192);
    const reader = new Reader();
    const note = ({ tag }: Head): unknown => answered.set(tag, (answered.get(tag) ?? 0) + 1);

    await eventually(() => answered.size === 4 + 6000 - 4096);
    tree.release();
    await eventually(() => answered.size === 4 + 6000);
    expect([...answered.values()].every((times) => times === 1)).toBe(true);
    socket.destroy();
  });
});
