import { once } from 'node:events';
import { existsSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually, plainOpening, ServedBench, ServedFile, ServedTree, TinyFileServer } from '#testkit';
import { formatAddress } from './address.js';
import { openMode } from './file-server.js';
import { NinepServer } from './server.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a server', () => {
  let bench: ServedBench;
  beforeEach(async () => {
    bench = await ServedBench.start(new ServedTree());
  });
  afterEach(() => bench.close());

  const anyPort = { type: 'tcp', host: '127.0.0.1', port: 0 } as const;
  const another = () => new NinepServer(new ServedTree());

  it('listens on a socket that is for its user alone, and removes it', async () => {
    const umask = process.umask();
    expect(statSync(bench.path).mode & 0o777).toBe(0o600);
    expect(process.umask()).toBe(umask);
    await bench.server.close();
    expect(existsSync(bench.path)).toBe(false);
  });

  it('does not take the place of one that answers', async () => {
    const message = `address in use: another process serves unix!${bench.path}`;
    await expect(another().listen(bench.address)).rejects.toMatchObject({ message, posix: 'EADDRINUSE' });
    await eventually(() => bench.server.connections === 0);
    expect(text(await (await bench.dial()).readAll('hello'))).toBe('hello world\n');
  });

  it('does not take the place of one that is too busy to answer', async () => {
    const path = `${bench.path}.busy`;
    const serve = `require('node:net').createServer().listen({ path: ${JSON.stringify(path)}, backlog: 1 }, () => console.log('on'))`;
    const busy = spawn(process.execPath, ['-e', serve], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(busy.stdout, 'data');
    busy.kill('SIGSTOP');
    const callers = Array.from({ length: 4 }, () => connect(path).on('error', () => undefined));
    try {
      await eventually(() => callers.some(({ destroyed }) => destroyed)); // the queue is full
      await expect(another().listen({ type: 'unix', path })).rejects.toMatchObject({ posix: 'EADDRINUSE' });
      expect(statSync(path).isSocket()).toBe(true);
    } finally {
      for (const caller of callers) caller.destroy();
      busy.kill('SIGKILL');
    }
  });

  it('takes the place of one that left its socket behind', async () => {
    const path = `${bench.path}.stale`;
    const leave = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    expect(statSync(path).isSocket()).toBe(true);
    const address = { type: 'unix', path } as const;
    await bench.server.listen(address);
    expect(text(await (await bench.dial({ address })).readAll('hello'))).toBe('hello world\n');
    expect(text(await (await bench.dial()).readAll('hello'))).toBe('hello world\n');
  });

  it('leaves a file alone that is no socket', async () => {
    const path = `${bench.path}.txt`;
    writeFileSync(path, 'mine');
    await expect(another().listen({ type: 'unix', path })).rejects.toThrow(`file already exists: ${path} is not a socket`);
    expect(readFileSync(path, 'utf8')).toBe('mine');
    const link = `${bench.path}.link`;
    const leave = `require('node:net').createServer().listen(${JSON.stringify(`${bench.path}.left`)}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', leave]);
    symlinkSync(`${bench.path}.left`, link);
    await expect(another().listen({ type: 'unix', path: link })).rejects.toThrow(`file already exists: ${link} is not a socket`);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it('has paths as long as the kernel has them', async () => {
    const longest = join(bench.directory, 'x'.repeat(107 - bench.directory.length - 1));
    expect(await bench.server.listen({ type: 'unix', path: longest })).toEqual({ type: 'unix', path: longest });
    await expect(another().listen({ type: 'unix', path: `${longest}x` })).rejects.toThrow('illegal argument: socket path too long');
  });

  it('listens on the one interface that is named, or on all', async () => {
    const [one, all] = [await bench.server.listen(anyPort), await bench.server.listen({ ...anyPort, host: '*' })];
    expect(all).toEqual({ type: 'tcp', host: '*', port: expect.any(Number) as number });
    if (one.type !== 'tcp' || all.type !== 'tcp') throw new Error('no port');
    await expect(bench.dial({ address: { ...one, host: '127.0.0.2' } })).rejects.toThrow('ECONNREFUSED');
    await expect(bench.dial({ address: { ...all, host: '127.0.0.2' } })).resolves.toBeDefined();
  });

  it('refuses addresses that it cannot serve', async () => {
    const bound = await bench.server.listen({ type: 'tcp', host: '127.0.0.1', port: 0 });
    await expect(another().listen(bound)).rejects.toMatchObject({
      message: `i/o error: cannot listen on ${formatAddress(bound)}: EADDRINUSE`,
      posix: 'EADDRINUSE',
    });
    await expect(another().listen({ type: 'unix', path: `/${'x'.repeat(120)}` })).rejects.toThrow(
      'illegal argument: socket path too long: /xxx',
    );
    await expect(another().listen({ type: 'unix', path: `${bench.directory}/no/where` })).rejects.toThrow(
      /^i\/o error: cannot listen on unix!.*\/no\/where: E/,
    );
  });

  it('counts its connections and tells of each change', async () => {
    const counts: number[] = [];
    bench.server.onConnections((count) => counts.push(count));
    const first = await bench.dial();
    const second = await bench.dial();
    expect(bench.server.connections).toBe(2);
    first.close();
    second.close();
    while (bench.server.connections > 0) await new Promise(setImmediate);
    expect(counts).toEqual([1, 2, 1, 0]);
  });

  it('is closed, and a connection is gone, when the last file has been closed', async () => {
    const tree = new ServedTree();
    let [isClosed, finish] = [false, (): void => undefined];
    const close = () => new Promise<void>((resolve) => (finish = () => resolve(void (isClosed = true))));
    tree.root.add(new ServedFile('late', 5000, 0o444, (file) => ({ ...plainOpening(file), close })));
    await bench.close();
    bench = await ServedBench.start(tree);
    const client = await bench.dial();
    await client.open('late', openMode.read);
    client.close();
    let isOver = false;
    const over = bench.server.close().then(() => (isOver = true));
    await sleep(50);
    expect([bench.server.connections, isOver]).toEqual([1, false]);
    finish();
    await over;
    expect([bench.server.connections, isClosed]).toEqual([0, true]);
  });

  it('serves TCP beside the socket, and there another tree if it is given one', async () => {
    const other = new TinyFileServer({ only: { read: (offset) => Buffer.from('here').subarray(offset) } });
    const [same, own] = [await bench.server.listen(anyPort), await bench.server.listen(anyPort, other)];
    expect([same, own]).toEqual([
      { ...anyPort, port: expect.any(Number) },
      { ...anyPort, port: expect.any(Number) },
    ]);
    expect(text(await (await bench.dial({ address: same })).readAll('hello'))).toBe('hello world\n');
    const client = await bench.dial({ address: own });
    expect(text(await client.readAll('only'))).toBe('here');
    await expect(client.readAll('hello')).rejects.toThrow('file does not exist');
    expect(bench.server.connections).toBe(2);
    await bench.server.close();
    await expect(bench.dial({ address: same })).rejects.toThrow('ECONNREFUSED');
  });

  it('tells who comes when it is full, and keeps places for each of its addresses', async () => {
    await bench.close();
    bench = await ServedBench.start(new ServedTree(), { limits: { maxConnections: 1 } });
    const address = await bench.server.listen(anyPort);
    const first = await bench.dial({ address });
    await expect(bench.dial({ address })).rejects.toThrow('i/o error: too many connections');
    const user = await bench.dial();
    expect(text(await user.readAll('hello'))).toBe('hello world\n');
    first.close();
    await eventually(() => bench.server.connections === 1);
    expect(text(await (await bench.dial({ address })).readAll('hello'))).toBe('hello world\n');
  });

  it('hangs up on who does not attach in time, and on nobody else', async () => {
    await bench.close();
    bench = await ServedBench.start(new ServedTree(), { limits: { attachTimeoutMs: 50 } });
    const client = await bench.dial();
    const socket = connect(bench.path);
    await once(socket.resume(), 'close');
    expect(text(await client.readAll('hello'))).toBe('hello world\n');
  });

  it.each([{ maxMessageBytes: 255 }, { maxConnections: 0 }, { highWaterBytes: 1.5 }])('does not start with the limit %j', (limits) => {
    expect(() => new NinepServer(new ServedTree(), { limits })).toThrow(/^illegal argument: [a-zA-Z]+=[0-9.]+: at least/);
  });

  it('refuses fids and requests above its limits, and still hears a flush', async () => {
    await bench.close();
    bench = await ServedBench.start(new ServedTree(), { limits: { maxFidsPerConnection: 3, maxPendingPerConnection: 2 } });
    const client = await bench.dial();
    const file = await client.open('block', openMode.read);
    const stop = new AbortController();
    const blocked = [file.read(0, 10, stop.signal), file.read(0, 10, stop.signal)];
    const ended = Promise.allSettled(blocked);
    await expect(file.read(0, 10)).rejects.toThrow('i/o error: too many requests');
    stop.abort(new Error('enough'));
    await ended;
    await file.clunk();
    const open = await Promise.all(['hello', 'data'].map((path) => client.open(path, openMode.read)));
    await expect(client.stat('hello')).rejects.toThrow('i/o error: too many fids');
    await open[0]?.clunk();
    await client.stat('hello');
  });

  it('takes messages in pieces', async () => {
    const socket = connect(bench.path);
    const version = Buffer.from('1300000064ffff002000000600395032303030', 'hex');
    for (const byte of version) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    const [reply] = await once(socket, 'data');
    expect(reply).toEqual(Buffer.from('1300000065ffff002000000600395032303030', 'hex'));
    socket.destroy();
  });

  it('tells bugs to the process when nobody else asks', async () => {
    const server = another();
    const path = `${bench.path}.second`;
    await server.listen({ type: 'unix', path });
    const client = await bench.dial({ address: { type: 'unix', path } });
    const warn = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    await expect(client.readAll('bug')).rejects.toThrow('i/o error: something broke');
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('9P server: Error: something broke'));
    warn.mockRestore();
    client.close();
    await server.close();
  });
});
