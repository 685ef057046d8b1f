import { connect, createServer, type AddressInfo, type Server } from 'node:net';
import { once } from 'node:events';
import { plainOpening, ServedBench, ServedDir, ServedFile, ServedTree } from '#testkit';
import type { DialOptions } from './dial.js';
import { openMode } from './file-server.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe.each([false, true])('a client (its server is known to keep the order: %s)', (keepsOrder) => {
  let bench: ServedBench;
  let tree: ServedTree;
  beforeEach(async () => {
    tree = new ServedTree();
    bench = await ServedBench.start(tree);
  });
  afterEach(() => bench.close());
  const dial = (options: Partial<DialOptions> = {}, signal?: AbortSignal) => bench.dial({ keepsOrder, ...options }, signal);

  it('reads, writes, asks and lists', async () => {
    const client = await dial();
    expect(text(await client.readAll('/hello'))).toBe('hello world\n');
    await client.writeAll('data', 'short');
    expect(text(await client.ask('data', Buffer.from('S')))).toBe('Short');
    await client.writeAll('data', '');
    expect(text(await client.readAll('./data'))).toBe('');
    expect((await client.list('dir/')).map(({ name }) => name)).toEqual(['a', 'b', 'deep']);
    expect(await client.list('dir/deep/deeper')).toEqual([]);
  });

  it('tells and changes what a file is', async () => {
    const client = await dial();
    const qid = { type: 0, version: 0, path: 12 };
    const before = {
      qid,
      mode: 0o664,
      atime: 1_700_000_000,
      mtime: 1_700_000_000,
      length: 2,
      name: 'a',
      uid: 'glenda',
      gid: 'sys',
      muid: 'glenda',
    };
    expect(await client.stat('dir/a')).toEqual(before);
    await client.wstat('dir/a', { name: 'c', length: 1, mtime: 7 });
    expect(await client.stat('dir/c')).toMatchObject({ name: 'c', length: 1, mtime: 7 });
    expect((await client.stat('')).name).toBe('/');
    await client.remove('dir/c');
    await expect(client.stat('dir/c')).rejects.toMatchObject({ message: 'file does not exist', posix: 'ENOENT' });
  });

  it('gives the errors of the server, those of a clunk too', async () => {
    const client = await dial();
    await expect(client.readAll('nope')).rejects.toMatchObject({ message: 'file does not exist', posix: 'ENOENT' });
    await expect(client.readAll('dir/nope')).rejects.toMatchObject({ message: 'file does not exist', posix: 'ENOENT' });
    await expect(client.readAll('hello/x')).rejects.toMatchObject({ message: 'file does not exist' });
    await expect(client.readAll('locked')).rejects.toMatchObject({ message: 'permission denied', posix: 'EACCES' });
    await expect(client.writeAll('hello', 'x')).rejects.toMatchObject({ posix: 'EACCES' });
    await expect(client.remove('hello')).rejects.toMatchObject({ posix: 'EACCES' });
    await expect(client.writeAll('sour', 'x=y')).rejects.toMatchObject({ message: 'illegal value: x=y', posix: 'EINVAL' });
    await expect(client.readAll('bug')).rejects.toMatchObject({ message: 'i/o error: something broke', posix: 'EIO' });
    expect(bench.bugs).toEqual([new Error('something broke')]);
  });

  it('leaves no fid behind, whatever fails', async () => {
    await bench.close();
    bench = await ServedBench.start(tree, { limits: { maxFidsPerConnection: 2 } });
    const client = await dial();
    const attempts = ['nope', 'dir/nope', 'locked', 'bug', `${'dir/../'.repeat(12)}nope`];
    for (const path of attempts) await expect(client.readAll(path)).rejects.toThrow(/does not exist|permission denied|something broke/);
    await expect(client.writeAll('sour', 'x')).rejects.toThrow('illegal value');
    await expect(client.remove('hello')).rejects.toThrow('permission denied');
    await expect(client.wstat('hello', { mode: 0 })).rejects.toThrow('permission denied');
    await client.stat('hello');
    expect(text(await client.readAll('hello'))).toBe('hello world\n');
  });

  it('goes nowhere once it is detached, whoever has its numbers then; what it has open stays', async () => {
    const one = await dial();
    const other = await one.attach({ uname: 'glenda', aname: '' });
    const file = await other.open('hello', openMode.read);
    await other.detach();
    await other.detach();
    for (let n = 0; n < 2; n++) await one.attach({ uname: 'glenda', aname: '' });
    await expect(other.list('dir')).rejects.toMatchObject({ message: 'bad file descriptor: detached', posix: 'EBADF' });
    expect(text(await file.read(0, 5))).toBe('hello');
  });

  it('walks as deep as it must, sixteen names at a time', async () => {
    let dir = tree.root.add(new ServedDir('0', 1000));
    for (let n = 1; n < 40; n++) dir = dir.add(new ServedDir(String(n), 1000 + n));
    const names = Array.from({ length: 40 }, (_, n) => String(n));
    const client = await dial();
    for (const depth of [15, 16, 17, 32, 33, 40]) {
      expect((await client.stat(names.slice(0, depth).join('/'))).name).toBe(String(depth - 1));
    }
    await expect(client.stat([...names, 'x'].join('/'))).rejects.toThrow('file does not exist');
  });

  it('splits what is larger than a message', async () => {
    const client = await dial({ msize: 256 });
    const content = Buffer.from(Array.from({ length: 5000 }, (_, n) => n % 251));
    await client.writeAll('data', content);
    expect(Buffer.compare(await client.readAll('data'), content)).toBe(0);
    expect(Buffer.compare(await client.ask('data', content), content)).toBe(0);
    expect(await client.list('many')).toHaveLength(100);
    const file = await client.open('data', openMode.read);
    expect(file.iounit).toBe(232);
    expect(await file.read(0, 5000)).toHaveLength(232);
    expect(await file.read(4990, 5000)).toHaveLength(10);
    await file.clunk();
    await expect(file.read(0, 1)).rejects.toThrow('unknown fid');
  });

  it('gives each of a thousand reads under way its own answer', async () => {
    const dir = tree.root.add(new ServedDir('numbers', 2000));
    const late = async (file: ServedFile) => ({ ...plainOpening(file), read: async () => (await new Promise(setImmediate), file.bytes) });
    for (let n = 0; n < 1000; n++) dir.add(new ServedFile(String(n), 3000 + n, 0o444, late)).bytes = Buffer.from(`number ${n}`);
    const client = await dial();
    const files = await Promise.all(Array.from({ length: 1000 }, (_, n) => client.open(`numbers/${n}`, openMode.read)));
    const answers = await Promise.all(files.map((file) => file.read(0, 100)));
    expect(answers.map(text)).toEqual(files.map((_, n) => `number ${n}`));
    await Promise.all(files.map((file) => file.clunk()));
  });

  it('proves itself with a secret and keeps what it is told', async () => {
    const client = await dial({ uname: 'guarded', secret: 'open sesame' });
    expect(client.authAnswer).toBe('token');
    expect(text(await client.readAll('hello'))).toBe('hello world\n');
    await expect(dial({ uname: 'guarded', secret: 'guess' })).rejects.toMatchObject({
      message: 'permission denied: bad secret',
      posix: 'EACCES',
    });
    await expect(dial({ uname: 'guarded' })).rejects.toThrow('permission denied: authentication required');
    await expect(dial({ secret: 'open sesame' })).rejects.toThrow('permission denied: no auth required');
    expect((await dial()).authAnswer).toBeUndefined();
  });

  it('leaves no fid behind where it is not let in once more', async () => {
    const narrow = await ServedBench.start(new ServedTree(), { limits: { maxFidsPerConnection: 4 } });
    const client = await narrow.dial({ keepsOrder });
    for (let n = 0; n < 10; n++) {
      await expect(client.attach({ uname: 'guarded', aname: '', secret: 'guess' })).rejects.toThrow('bad secret');
      await expect(client.attach({ uname: 'guarded', aname: '' })).rejects.toThrow('authentication required');
      await expect(client.attach({ uname: 'glenda', aname: '', secret: 'x' })).rejects.toThrow('no auth required');
    }
    const guarded = await client.attach({ uname: 'guarded', aname: '', secret: 'open sesame' });
    expect(text(await guarded.readAll('hello'))).toBe('hello world\n');
    await narrow.close();
  });

  it('hangs up when it cannot attach', async () => {
    await expect(dial({ uname: 'guarded' })).rejects.toThrow('permission denied');
    while (bench.server.connections > 0) await new Promise(setImmediate);
  });

  it('tells when the connection is gone', async () => {
    const client = await dial();
    const file = await client.open('block', openMode.read);
    const blocked = file.read(0, 10);
    client.close();
    await expect(blocked).rejects.toMatchObject({ message: 'i/o error: connection closed', posix: 'EIO' });
    expect(await client.closed).toMatchObject({ message: 'i/o error: connection closed' });
    await expect(file.read(0, 10)).rejects.toThrow('i/o error: connection closed');
    await expect(client.stat('hello')).rejects.toThrow('i/o error: connection closed');
  });

  it('says where nobody answers', async () => {
    const address = { type: 'unix', path: `${bench.path}.gone` } as const;
    await expect(dial({ address })).rejects.toMatchObject({
      message: `i/o error: cannot connect to unix!${address.path}: ENOENT`,
      posix: 'ENOENT',
    });
    const long = { type: 'unix', path: `/${'x'.repeat(120)}` } as const;
    await expect(dial({ address: long })).rejects.toThrow('illegal argument: socket path too long');
  });

  it('can be stopped while it dials', async () => {
    await expect(dial({}, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    let gone: Promise<unknown> | undefined;
    const silent = createServer((socket) => {
      gone = once(socket.resume(), 'close');
    });
    await once(silent.listen(`${bench.path}.silent`), 'listening');
    const stop = new AbortController();
    const dialing = dial({ address: { type: 'unix', path: `${bench.path}.silent` } }, stop.signal);
    await once(silent, 'connection');
    stop.abort(new Error('enough'));
    await expect(dialing).rejects.toThrow('enough');
    await gone;
    silent.close();
  });

  it('speaks over TCP as well', async () => {
    const relay = await relayTo(bench.path);
    const client = await dial({ address: { type: 'tcp', host: '127.0.0.1', port: portOf(relay) } });
    expect(text(await client.readAll('hello'))).toBe('hello world\n');
    client.close();
    relay.close();
  });
});

/** A TCP port behind which a Unix socket answers. */
async function relayTo(path: string): Promise<Server> {
  const relay = createServer((socket) => {
    const inner = connect(path);
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  await once(relay.listen(0, '127.0.0.1'), 'listening');
  return relay;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
