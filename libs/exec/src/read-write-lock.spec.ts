import { getEventListeners } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { type LockMode, ReadWriteLock, type Release } from './read-write-lock.js';

const signal = new AbortController().signal;

let lock: ReadWriteLock;
let unused: number;
let entered: string[];
const releases = new Map<string, Release>();
beforeEach(() => {
  unused = 0;
  entered = [];
  lock = new ReadWriteLock(() => (unused += 1));
});

/** Its mode is what the name begins with. */
async function take(name: string, until: AbortSignal = signal): Promise<void> {
  const mode: LockMode = name.startsWith('r') ? 'read' : 'write';
  releases.set(name, await lock.take(mode, until));
  entered.push(name);
}

async function leave(name: string): Promise<void> {
  releases.get(name)?.();
  await turn();
}

/** They ask for it one after the other; gives those that have it. */
async function ask(...names: readonly string[]): Promise<readonly string[]> {
  for (const name of names) void take(name);
  await turn();
  return entered;
}

describe('a lock for readers and writers', () => {
  it('is shared by readers', async () => {
    expect(await ask('r1', 'r2', 'r3')).toEqual(['r1', 'r2', 'r3']);
  });

  it('keeps a writer waiting until the last reader has left, and everybody else until the writer has', async () => {
    expect(await ask('r1', 'r2', 'w1', 'w2')).toEqual(['r1', 'r2']);
    await leave('r1');
    expect(entered).toEqual(['r1', 'r2']);
    await leave('r2');
    expect(entered).toEqual(['r1', 'r2', 'w1']);
    await leave('w1');
    expect(entered).toEqual(['r1', 'r2', 'w1', 'w2']);
  });

  it('lets nobody pass a writer who waits; readers behind it come in together', async () => {
    expect(await ask('r1', 'w1', 'r2', 'r3', 'w2', 'r4')).toEqual(['r1']);
    await leave('r1');
    expect(entered).toEqual(['r1', 'w1']);
    await leave('w1');
    expect(entered).toEqual(['r1', 'w1', 'r2', 'r3']);
  });

  it('listens to no signal of one who is in', async () => {
    const { signal: own } = new AbortController();
    await ask('w1');
    const taken = take('w2', own);
    expect(getEventListeners(own, 'abort')).toHaveLength(1);
    await leave('w1');
    await taken;
    expect(getEventListeners(own, 'abort')).toEqual([]);
  });

  it('is left once, however often that is said', async () => {
    await ask('r1', 'r2', 'w1');
    await leave('r1');
    await leave('r1');
    expect(entered).toEqual(['r1', 'r2']);
  });

  it('lets go who gives up, at once, and lets in who waited behind', async () => {
    const stop = new AbortController();
    await ask('r1');
    const writer = take('w1', stop.signal);
    expect(await ask('r2')).toEqual(['r1']);
    stop.abort(new Error('enough'));
    await expect(writer).rejects.toThrow('enough');
    expect(entered).toEqual(['r1', 'r2']);
    await expect(take('w2', stop.signal)).rejects.toThrow('enough');
    await leave('r1');
    await leave('r2');
    expect(unused).toBe(1);
  });

  it('does not mind an abort of who has had it', async () => {
    const stop = new AbortController();
    await ask('r1');
    const writer = take('w1', stop.signal);
    await leave('r1');
    await writer;
    stop.abort();
    expect(await ask('r2')).toEqual(['r1', 'w1']);
    await leave('w1');
    expect(entered).toEqual(['r1', 'w1', 'r2']);
  });

  it('tells when nobody needs it any more', async () => {
    await ask('w1', 'r1', 'r2');
    await leave('w1');
    await leave('r1');
    expect(unused).toBe(0);
    await leave('r2');
    expect(unused).toBe(1);
  });
});
