import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from './client.js';
import type { DialOptions } from './dial.js';
import { decodeMessage, encodeMessage } from './codec.js';
import type { Fcall } from './fcall.js';
import { openMode } from './file-server.js';

const file = { type: 0, version: 0, path: 1 };
type Answer = Fcall | Buffer | undefined;

/** What a server says that has one file of no end. */
function plainly(message: Fcall): Answer {
  const { tag } = message;
  // oxlint-disable-next-line switch-exhaustiveness-check -- all others are refused
  switch (message.type) {
    case 'Tversion':
      return { type: 'Rversion', tag, msize: 8192, version: '9P2000' };
    case 'Tattach':
      return { type: 'Rattach', tag, qid: file };
    case 'Twalk':
      return { type: 'Rwalk', tag, qids: message.names.map(() => file) };
    case 'Topen':
      return { type: 'Ropen', tag, qid: file, iounit: 0 };
    case 'Tread':
      return { type: 'Rread', tag, data: Buffer.from('x') };
    case 'Twrite':
      return { type: 'Rwrite', tag, count: message.data.length };
    case 'Tflush':
      return { type: 'Rflush', tag };
    case 'Tclunk':
      return { type: 'Rclunk', tag };
    default:
      return { type: 'Rerror', tag, ename: 'no such thing' };
  }
}

/** A server that answers as a test says: what `answer` gives, or plainly when it gives `plainly`. */
class StrangeServer {
  readonly heard: Fcall[] = [];
  readonly path = join(mkdtempSync(join(tmpdir(), 'strange-')), 'socket');
  readonly #server: Server;
  #sockets: Socket[] = [];

  constructor(answer: (message: Fcall) => Answer) {
    this.#server = createServer((socket) => {
      this.#sockets.push(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        for (let at = 0; at < chunk.length; at += chunk.readUInt32LE(at)) {
          const message = decodeMessage(chunk.subarray(at, at + chunk.readUInt32LE(at)));
          this.heard.push(message);
          this.say(answer(message));
        }
      });
    });
  }

  async dial(options: Partial<DialOptions> = {}): Promise<Client> {
    if (!this.#server.listening) await once(this.#server.listen(this.path), 'listening');
    return Client.dial({ address: { type: 'unix', path: this.path }, uname: 'glenda', aname: '', ...options });
  }

  say(answer: Answer): void {
    if (answer !== undefined) this.#sockets.at(-1)?.write(Buffer.isBuffer(answer) ? answer : encodeMessage(answer));
  }

  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.hangUp();
    this.#server.close();
    await once(this.#server, 'close');
    rmSync(join(this.path, '..'), { recursive: true });
  }
}

describe('against a strange server, a client', () => {
  let server: StrangeServer;
  afterEach(() => server.close());

  const serving = (answers: Partial<Record<Fcall['type'], (message: Fcall) => Answer>>, options: Partial<DialOptions> = {}) => {
    server = new StrangeServer((message) => (answers[message.type] ?? plainly)(message));
    return server.dial(options);
  };

  it.each<[string, Partial<Record<Fcall['type'], (message: Fcall) => Answer>>, string]>([
    [
      'a larger message size',
      { Tversion: ({ tag }) => ({ type: 'Rversion', tag, msize: 2 ** 31, version: '9P2000' }) },
      'server offers version 9P2000 with messages of 2147483648 bytes',
    ],
    [
      'a message size of nothing',
      { Tversion: ({ tag }) => ({ type: 'Rversion', tag, msize: 23, version: '9P2000' }) },
      'messages of 23 bytes',
    ],
    [
      'no version',
      { Tversion: ({ tag }) => ({ type: 'Rversion', tag, msize: 8192, version: 'unknown' }) },
      'server offers version unknown',
    ],
    ['an error', { Tversion: ({ tag }) => ({ type: 'Rerror', tag, ename: 'i/o error: out of order' }) }, 'i/o error: out of order'],
    ['another type', { Tattach: ({ tag }) => ({ type: 'Rauth', tag, aqid: file }) }, 'i/o error: bad reply: Rauth instead of Rattach'],
    [
      'a tag that nobody asked with',
      { Tattach: ({ tag }) => ({ type: 'Rattach', tag: tag + 1, qid: file }) },
      'i/o error: bad reply: unknown tag 2',
    ],
    ['a request', { Tattach: ({ tag }) => ({ type: 'Tclunk', tag, fid: 0 }) }, 'i/o error: bad reply: Tclunk instead of Rattach'],
    [
      'a frame that is too long',
      { Tattach: () => Buffer.from('ffffff7f690000', 'hex') },
      'i/o error: bad reply: illegal argument: message size 2147483647',
    ],
    ['a frame that is too short', { Tattach: () => Buffer.from('06000000690000', 'hex') }, 'message size 6'],
    [
      'a cut message',
      { Tattach: () => Buffer.from('08000000690000ff', 'hex') },
      'i/o error: bad reply: illegal argument: message too short',
    ],
  ])('does not connect on %s', async (_what, answers, message) => {
    await expect(serving(answers)).rejects.toThrow(message);
  });

  it.each<[string, Partial<Record<Fcall['type'], (message: Fcall) => Answer>>, string]>([
    [
      'more than was asked for',
      { Tread: ({ tag }) => ({ type: 'Rread', tag, data: Buffer.alloc(11) }) },
      'i/o error: bad reply: 11 bytes to a read of 10',
    ],
    [
      'more names than were asked for',
      { Twalk: ({ tag }) => ({ type: 'Rwalk', tag, qids: [file, file] }) },
      'i/o error: bad reply: 2 qids to a walk of 1',
    ],
    ['fewer names than were asked for', { Twalk: ({ tag }) => ({ type: 'Rwalk', tag, qids: [] }) }, 'file does not exist'],
    [
      'a count that is not there',
      { Tread: ({ tag }) => Buffer.from(`0c00000075${tag.toString(16).padStart(2, '0')}00ffffffff78`, 'hex') },
      'count differs',
    ],
    ['nothing more', { Tread: () => (server.hangUp(), undefined) }, 'i/o error: connection lost'],
  ])('fails a read on %s', async (_what, answers, message) => {
    const client = await serving(answers);
    const reading = client.open('a', openMode.read).then((opened) => opened.read(0, 10));
    await expect(reading).rejects.toThrow(message);
  });

  it.each([0, 4, 2 ** 32 - 1])('fails a write of 3 bytes when %d are taken', async (count) => {
    const client = await serving({ Twrite: ({ tag }) => ({ type: 'Rwrite', tag, count }) });
    await expect(client.writeAll('a', 'abc')).rejects.toThrow(`i/o error: bad reply: ${count} bytes taken of 3`);
  });

  it('goes on with a write that was taken in part', async () => {
    const client = await serving({ Twrite: ({ tag }) => ({ type: 'Rwrite', tag, count: 1 }) });
    await client.writeAll('a', 'abc');
    const written = server.heard.flatMap((message) =>
      message.type === 'Twrite' ? [`${message.offset} ${Buffer.from(message.data).toString()}`] : [],
    );
    expect(written).toEqual(['0 abc', '1 bc', '2 c']);
  });

  it('keeps to the unit of an open file', async () => {
    const client = await serving({ Topen: ({ tag }) => ({ type: 'Ropen', tag, qid: file, iounit: 2 }) });
    await client.writeAll('a', 'abc');
    expect(server.heard.filter(({ type }) => type === 'Twrite')).toHaveLength(2);
  });

  it('refuses directory records that are cut', async () => {
    let reads = 0;
    const client = await serving({ Tread: ({ tag }) => ({ type: 'Rread', tag, data: Buffer.from(reads++ ? '' : '31000000', 'hex') }) });
    await expect(client.list('a')).rejects.toThrow('i/o error: bad directory: illegal argument: stat size');
  });

  it('uses neither tag nor fid again before a flush is answered, and clunks then', async () => {
    const client = await serving({ Tread: () => undefined, Tflush: () => undefined });
    const opened = await client.open('a', openMode.read);
    const stop = new AbortController();
    const reading = opened.read(0, 10, stop.signal);
    stop.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    const clunked = opened.clunk();
    const other = await client.open('b', openMode.write);
    await other.write(0, Buffer.from('x'));

    const read = server.heard.find(({ type }) => type === 'Tread');
    const flush = server.heard.find(({ type }) => type === 'Tflush');
    const since = server.heard.slice(server.heard.findIndex(({ type }) => type === 'Tflush') + 1);
    expect(flush).toMatchObject({ oldtag: read?.tag });
    expect(since.map(({ type }) => type)).toEqual(['Twalk', 'Topen', 'Twrite']);
    expect(since.map(({ tag }) => tag)).not.toContain(read?.tag);
    expect(since.flatMap((message) => (message.type === 'Twalk' ? [message.newfid] : []))).not.toContain(opened.fid);

    server.say({ type: 'Rread', tag: read?.tag ?? 0, data: Buffer.from('late') });
    server.say({ type: 'Rflush', tag: flush?.tag ?? 0 });
    await clunked;
    expect(server.heard.at(-1)).toMatchObject({ type: 'Tclunk', fid: opened.fid });
    expect((await client.open('c', openMode.read)).fid).toBe(opened.fid);
  });

  it.each([
    ['first', 0],
    ['last', 1],
  ])('clunks when all flushes of a fid are answered, also if the %s of two is answered before the other', async (_which, before) => {
    const client = await serving({ Tread: () => undefined, Tflush: () => undefined });
    const opened = await client.open('a', openMode.read);
    const stop = new AbortController();
    const reading = Promise.allSettled([opened.read(0, 10, stop.signal), opened.read(10, 10, stop.signal)]);
    stop.abort(new Error('enough'));
    await reading;
    await client.open('b', openMode.read);
    const flushes = server.heard.filter(({ type }) => type === 'Tflush').map(({ tag }) => tag);
    const [one = 0, other = 0] = before === 0 ? flushes : flushes.reverse();
    server.say({ type: 'Rflush', tag: one });
    await client.open('c', openMode.read);
    const clunked = opened.clunk();
    await client.open('d', openMode.read);
    expect(server.heard.map(({ type }) => type)).not.toContain('Tclunk');
    server.say({ type: 'Rflush', tag: other });
    await clunked;
    expect(server.heard.at(-1)).toMatchObject({ type: 'Tclunk', fid: opened.fid });
  });

  it('uses the number of a fid again that a walk has not made', async () => {
    const client = await serving({ Twalk: ({ tag }) => ({ type: 'Rwalk', tag, qids: [] }) });
    for (let n = 0; n < 3; n++) await expect(client.stat('a')).rejects.toThrow('file does not exist');
    expect(server.heard.flatMap((message) => (message.type === 'Twalk' ? [message.newfid] : []))).toEqual([1, 1, 1]);
    expect(server.heard.map(({ type }) => type)).not.toContain('Tclunk');
  });

  it('asks step by step, and at once only where the order is known to be kept', async () => {
    const silent = { Twalk: () => undefined };
    for (const [keepsOrder, heard] of [
      [false, ['Twalk']],
      [true, ['Twalk', 'Topen', 'Twrite', 'Tread']],
    ] as const) {
      const client = await serving(silent, { keepsOrder });
      const asking = client.ask('a/b', 'request');
      while (server.heard.at(-1)?.type !== heard.at(-1)) await new Promise(setImmediate);
      expect(server.heard.slice(2).map(({ type }) => type)).toEqual(heard);
      const ended = Promise.allSettled([asking]);
      if (!keepsOrder) await server.close();
      server.hangUp();
      expect(await ended).toMatchObject([{ status: 'rejected', reason: { message: 'i/o error: connection lost' } }]);
    }
  });

  it('asks for nothing before a request of several messages is written', async () => {
    const client = await serving({ Tread: ({ tag }) => ({ type: 'Rread', tag, data: Buffer.alloc(0) }) }, { keepsOrder: true });
    await client.ask('a', 'x'.repeat(20_000));
    const types = server.heard.slice(2).map(({ type }) => type);
    expect(types).toEqual(['Twalk', 'Topen', 'Twrite', 'Twrite', 'Twrite', 'Tread', 'Tclunk']);
  });

  it.each([
    ['Twalk', 'refused walk'],
    ['Topen', 'refused open'],
    ['Twrite', 'refused write'],
    ['Tread', 'refused read'],
    ['Tclunk', 'refused clunk'],
  ] as const)('tells the first error of what was asked at once: that of %s', async (type, ename) => {
    const order = ['Twalk', 'Topen', 'Twrite', 'Tread', 'Tclunk'] as const;
    const unknown = (message: Fcall): Answer => ({ type: 'Rerror', tag: message.tag, ename: 'unknown fid' });
    const answers = Object.fromEntries(order.slice(order.indexOf(type)).map((later) => [later, unknown]));
    const empty = (message: Fcall): Answer => ({ type: 'Rread', tag: message.tag, data: Buffer.alloc(0) });
    const client = await serving(
      { Tread: empty, ...answers, [type]: ({ tag }: Fcall) => ({ type: 'Rerror', tag, ename }) },
      { keepsOrder: true },
    );
    await expect(client.ask('a', 'x')).rejects.toThrow(ename);
    while (server.heard.at(-1)?.type !== 'Tclunk') await new Promise(setImmediate);
  });

  it('clunks what an aborted question may have opened, after all its flushes', async () => {
    const silent = () => undefined;
    const client = await serving({ Twalk: silent, Topen: silent, Twrite: silent, Tread: silent }, { keepsOrder: true });
    const stop = new AbortController();
    const asking = client.ask('a', 'x', stop.signal);
    while (server.heard.at(-1)?.type !== 'Tread') await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expect(asking).rejects.toThrow('enough');
    while (server.heard.at(-1)?.type !== 'Tclunk') await new Promise(setImmediate);
    expect(server.heard.slice(6).map(({ type }) => type)).toEqual(['Tflush', 'Tflush', 'Tflush', 'Tflush', 'Tclunk']);
  });

  it('clunks what an aborted walk or open may have made', async () => {
    for (const type of ['Twalk', 'Topen'] as const) {
      const client = await serving({ [type]: () => undefined });
      const stop = new AbortController();
      const opening = client.open('a', openMode.read, stop.signal);
      while (server.heard.at(-1)?.type !== type) await new Promise(setImmediate);
      stop.abort(new Error('enough'));
      await expect(opening).rejects.toThrow('enough');
      while (server.heard.at(-1)?.type !== 'Tclunk') await new Promise(setImmediate);
      expect(server.heard.slice(-2)).toMatchObject([{ type: 'Tflush' }, { type: 'Tclunk', fid: 1 }]);
      if (type === 'Twalk') await server.close();
    }
  });

  it('clunks what an aborted walk may have made only when that is sure to be over', async () => {
    let isSilent = false;
    const quietly = (message: Fcall) => (isSilent ? undefined : plainly(message));
    const client = await serving({ Twalk: quietly, Tflush: () => undefined });
    const other = await client.open('b', openMode.read);
    isSilent = true;
    const stop = new AbortController();
    const opening = client.open('a', openMode.read, stop.signal);
    while (server.heard.at(-1)?.type !== 'Twalk') await new Promise(setImmediate);
    stop.abort(new Error('enough'));
    await expect(opening).rejects.toThrow('enough');
    await other.read(0, 1);
    const flush = server.heard.at(-2);
    expect([flush?.type, server.heard.at(-1)?.type]).toEqual(['Tflush', 'Tread']);
    server.say({ type: 'Rflush', tag: flush?.tag ?? 0 });
    while (server.heard.at(-1)?.type !== 'Tclunk') await new Promise(setImmediate);
    expect(server.heard.at(-1)).toMatchObject({ type: 'Tclunk', fid: 2 });
  });
});
