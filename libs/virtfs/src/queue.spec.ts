import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { queue, type QueueSource } from './queue.js';

const NEVER = { signal: new AbortController().signal };
const RDWR = { read: true, write: true, truncate: false };
const READ = { read: true, write: false, truncate: false };

class Items implements QueueSource {
  readonly all: string[];

  constructor(...items: readonly string[]) {
    this.all = [...items];
  }

  push(text: string): void {
    this.all.push(text);
  }

  pop(): string | undefined {
    return this.all.shift();
  }
}

describeKind<Items>('queue', {
  row: queue<Items>('Waiting items', (items) => items),
  subject: () => new Items(),
  mode: 0o664,
  request: 'one item',
  content: 'one item\n',
  length: 'zero',
});

describe('queue', () => {
  const bench = (...items: readonly string[]) => {
    const subject = new Items(...items);
    return { items: subject, client: new MemoryClient(mount(dir<Items>({ fifo: queue<Items>('Items', (s) => s) }), subject)) };
  };
  const shown = (bytes: Uint8Array) => Buffer.from(bytes).toString();

  it('keeps what was written in several pieces as one item, in order', async () => {
    const { items, client } = bench();
    const handle = await client.open('fifo', { read: false, write: true, truncate: false });
    await handle.write(0, Buffer.from('fix '), NEVER);
    await handle.write(4, Buffer.from('it'), NEVER);
    expect(items.all).toEqual([]);
    await handle.close('clunk');
    await client.write('fifo', 'second');
    expect(items.all).toEqual(['fix it', 'second']);
  });

  it('pops one item an open, then the end; nothing there is the end', async () => {
    const { client } = bench('first', 'second');
    expect(await client.read('fifo')).toBe('first\n');
    expect(await client.read('fifo')).toBe('second\n');
    expect(await client.read('fifo')).toBe('');
  });

  it('finishes the item at any piece size, and pops no other on that handle', async () => {
    const { items, client } = bench('first', 'second');
    const handle = await client.open('fifo', READ);
    expect(shown(await handle.read(0, 2, NEVER))).toBe('fi');
    expect(shown(await handle.read(2, 100, NEVER))).toBe('rst\n');
    expect(shown(await handle.read(6, 100, NEVER))).toBe('');
    expect(shown(await handle.read(0, 100, NEVER))).toBe('first\n');
    expect(items.all).toEqual(['second']);
  });

  it('pops nothing for a read that does not begin at the start', async () => {
    const { items, client } = bench('first');
    const handle = await client.open('fifo', READ);
    expect(shown(await handle.read(3, 100, NEVER))).toBe('');
    expect(items.all).toEqual(['first']);
  });

  it('pops nothing for a stat, nor for an open that reads nothing', async () => {
    const { items, client } = bench('first');
    await client.stat('fifo');
    await (await client.open('fifo', READ)).close('clunk');
    expect(items.all).toEqual(['first']);
  });

  it('pushes before it pops on one handle, and pops again after the next write', async () => {
    const { items, client } = bench('first');
    const handle = await client.open('fifo', RDWR);
    await handle.write(0, Buffer.from('second'), NEVER);
    expect(shown(await handle.read(6, 100, NEVER))).toBe('first\n');
    await handle.write(12, Buffer.from('third'), NEVER);
    expect(shown(await handle.read(0, 100, NEVER))).toBe('second\n');
    expect(items.all).toEqual(['third']);
  });
});
