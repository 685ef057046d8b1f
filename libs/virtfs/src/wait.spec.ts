import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { ValueCell } from './value-cell.js';
import { wait, type WaitSource } from './wait.js';

const NEVER = new AbortController().signal;
const READ = { read: true, write: false, truncate: false };

class Exit {
  readonly code = new ValueCell('0');
  readonly source: WaitSource = { next: (_client, signal) => this.code.until((code) => code !== '', signal) };
}

describeKind<Exit>('wait', {
  row: wait<Exit>('The exit code', (exit) => exit.source),
  subject: () => new Exit(),
  mode: 0o444,
  content: '0\n',
  length: 'zero',
  block: (exit) => {
    exit.code.set('');
    return { offset: 0 };
  },
  unblock: (exit) => exit.code.set('0'),
});

interface Agent {
  readonly state: ValueCell<string>;
}

function bench(waitMs?: number) {
  const agent: Agent = { state: new ValueCell('idle') };
  const root = mount(dir<Agent>({ statewait: wait('The state', (a) => a.state) }), agent);
  const client = new MemoryClient(root, { tag: 'a', ...(waitMs !== undefined && { waitMs }) });
  return { state: agent.state, client };
}

const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString();

describe('wait', () => {
  it('waits for a change, adds the newline, and ends', async () => {
    const { state, client } = bench();
    const read = client.read('statewait');
    await Promise.resolve();
    state.set('running');
    expect(await read).toBe('running\n');
  });

  it('waits again at offset 0 of the same handle', async () => {
    const { state, client } = bench();
    const handle = await client.open('statewait', READ);
    const first = Promise.resolve(handle.read(0, 100, { signal: NEVER }));
    state.set('running');
    expect(shown(await first)).toBe('running\n');
    const second = Promise.resolve(handle.read(0, 100, { signal: NEVER }));
    state.set('idle');
    expect(shown(await second)).toBe('idle\n');
    expect(shown(await handle.read(5, 100, { signal: NEVER }))).toBe('');
  });

  it('is at its end above offset 0 before anything was delivered, and consumes nothing', async () => {
    const { state, client } = bench();
    state.markSeen({ role: 'user', uname: '', aname: '', tag: 'a' });
    state.set('running');
    const handle = await client.open('statewait', READ);
    expect(await handle.read(8, 100, { signal: NEVER })).toHaveLength(0);
    expect(shown(await handle.read(0, 100, { signal: NEVER }))).toBe('running\n');
  });

  it('lets a read behind the first one have the rest of what that one waits for', async () => {
    const { state, client } = bench();
    const handle = await client.open('statewait', READ);
    const pieces = Promise.all([handle.read(0, 3, { signal: NEVER }), handle.read(3, 100, { signal: NEVER })]);
    state.set('running');
    expect((await pieces).map(shown)).toEqual(['run', 'ning\n']);
  });

  it('keeps a change that comes after an interrupted read', async () => {
    const { state, client } = bench();
    const stop = new AbortController();
    const read = client.read('statewait', stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(read).rejects.toThrow('interrupted');
    state.set('running');
    expect(await client.read('statewait')).toBe('running\n');
  });

  it('has nothing to give above offset 0 after an interrupted read', async () => {
    const { client } = bench();
    const handle = await client.open('statewait', READ);
    const stop = new AbortController();
    const read = Promise.resolve(handle.read(0, 100, stop));
    stop.abort();
    await expect(read).rejects.toThrow('interrupted');
    expect(await handle.read(1, 100, { signal: NEVER })).toHaveLength(0);
  });

  it('leaves no timer behind when something came in time', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const { state, client } = bench(60_000);
    const before = timers();
    const read = client.read('statewait');
    await Promise.resolve();
    state.finish('killed');
    expect(await read).toBe('killed\n');
    expect(timers()).toBe(before);
  });

  it('gives the present value when the client waits no longer', async () => {
    expect(await bench(10).client.read('statewait')).toBe('idle\n');
  });

  it('gives end of file when the client waits no longer and there is no present value', async () => {
    const source: WaitSource = {
      next: (_client, signal) => new ValueCell('').next({ role: 'user', uname: '', aname: '', tag: 'x' }, signal),
    };
    const root = mount(dir<object>({ pending: wait('A request', () => source) }), {});
    expect(await new MemoryClient(root, { waitMs: 10 }).read('pending')).toBe('');
  });

  it('is interrupted, not timed out, when both could be', async () => {
    const { client } = bench(60_000);
    const stop = new AbortController();
    const read = client.read('statewait', stop.signal);
    await Promise.resolve();
    stop.abort();
    await expect(read).rejects.toThrow('interrupted');
  });

  it('gives the last value once to each handle, then the end for ever', async () => {
    const { state, client } = bench();
    const handles = await Promise.all([client.open('statewait', READ), client.open('statewait', READ)]);
    const waiting = handles[0].read(0, 100, { signal: NEVER });
    state.finish('killed');
    expect(shown(await waiting)).toBe('killed\n');
    expect(shown(await handles[0].read(0, 100, { signal: NEVER }))).toBe('');
    expect(shown(await handles[1].read(0, 100, { signal: NEVER }))).toBe('killed\n');
    expect(shown(await handles[1].read(0, 100, { signal: NEVER }))).toBe('');
  });
});
