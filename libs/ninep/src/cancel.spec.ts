import { eventually, ServedBench, ServedTree } from '#testkit';
import { openMode } from './file-server.js';

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('a blocked read', () => {
  let bench: ServedBench;
  let tree: ServedTree;
  beforeEach(async () => {
    tree = new ServedTree();
    bench = await ServedBench.start(tree);
  });
  afterEach(() => bench.close());

  it('stalls nobody and ends when there is something', async () => {
    const client = await bench.dial();
    const file = await client.open('block', openMode.read);
    const blocked = file.read(0, 100);
    await eventually(() => tree.waiting === 1);
    expect(text(await client.readAll('hello'))).toBe('hello world\n');
    expect(text(await (await bench.dial()).readAll('hello'))).toBe('hello world\n');
    await client.writeAll('release', 'go');
    expect(text(await blocked)).toBe('released\n');
    await file.clunk();
  });

  it('is left at once by an abort, which ends it at the server and closes its file', async () => {
    const client = await bench.dial();
    const file = await client.open('block', openMode.read);
    const stop = new AbortController();
    const blocked = file.read(0, 100, stop.signal);
    await eventually(() => tree.waiting === 1);
    stop.abort(new Error('enough'));
    await expect(blocked).rejects.toThrow('enough');
    await file.clunk();
    expect(tree.waiting).toBe(0);
    expect(text(await client.readAll('closings'))).toBe('block clunk\n');
    await expect(file.read(0, 100)).rejects.toThrow('unknown fid');
  });

  it('is not even sent when the signal is aborted before', async () => {
    const client = await bench.dial();
    const file = await client.open('block', openMode.read);
    await expect(file.read(0, 100, AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
    expect(tree.waiting).toBe(0);
  });

  it('of a whole command is left at once, too', async () => {
    const client = await bench.dial();
    const commands = [
      (signal: AbortSignal) => client.readAll('block', signal),
      (signal: AbortSignal) => client.writeAll('slow', 'x', signal),
      (signal: AbortSignal) => client.ask('slow', 'x', signal),
    ];
    for (const command of commands) {
      const stop = new AbortController();
      const running = command(stop.signal);
      await eventually(() => tree.waiting === 1);
      stop.abort(new Error('enough'));
      await expect(running).rejects.toThrow('enough');
      await eventually(() => tree.waiting === 0);
    }
    expect(text(await client.readAll('slow'))).toBe('');
  });

  it('leaves neither listener nor tag behind, a thousand times', async () => {
    const client = await bench.dial();
    const stop = new AbortController();
    let listeners = 0;
    const { addEventListener, removeEventListener } = stop.signal;
    stop.signal.addEventListener = (...args: Parameters<typeof addEventListener>) => (
      listeners++,
      addEventListener.apply(stop.signal, args)
    );
    stop.signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => (
      listeners--,
      removeEventListener.apply(stop.signal, args)
    );
    for (let n = 0; n < 1000; n++) await client.stat('hello', stop.signal);
    expect(listeners).toBe(0);
  });

  it('ends when the client hangs up', async () => {
    const client = await bench.dial();
    const file = await client.open('block', openMode.read);
    const blocked = Promise.allSettled([file.read(0, 100)]);
    await eventually(() => tree.waiting === 1);
    client.close();
    await blocked;
    await eventually(() => bench.server.connections === 0);
    expect(tree.waiting).toBe(0);
    expect(text(await (await bench.dial()).readAll('closings'))).toBe('block hangup\n');
  });

  it('does not keep the server from closing', async () => {
    const clients = await Promise.all([bench.dial(), bench.dial()]);
    const files = await Promise.all(clients.map((client) => client.open('block', openMode.read)));
    const blocked = Promise.allSettled(files.map((file) => file.read(0, 100)));
    await eventually(() => tree.waiting === 2);
    await bench.server.close();
    expect(tree.waiting).toBe(0);
    expect(bench.server.connections).toBe(0);
    expect((await blocked).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    for (const client of clients) expect((await client.closed).message).toMatch(/^i\/o error: connection lost/);
  });
});
