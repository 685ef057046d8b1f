import { setTimeout as sleep } from 'node:timers/promises';
import { describeKind } from '#testkit';
import { dir } from './dir.js';
import { latest, PAUSE_MS } from './latest.js';
import { LatestValue } from './latest-value.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import type { Client } from './types.js';

const NEVER = { signal: new AbortController().signal };

interface Fed {
  readonly feed: LatestValue;
}

function fed(value?: string): Fed {
  const feed = new LatestValue();
  if (value !== undefined) feed.set(Buffer.from(value));
  return { feed };
}

let looks = 0;

/** One client is given a value once; here every look is another client's. */
const anew = (client: Client): Client => ({ ...client, tag: `look ${String((looks += 1))}` });

describeKind<Fed>('latest', {
  row: latest<Fed>('The newest value', ({ feed }) => ({
    set: (bytes) => feed.set(bytes),
    next: (client, signal) => feed.next(anew(client), signal),
  })),
  subject: () => fed('the value'),
  mode: 0o664,
  content: 'the value',
  length: 'zero',
});

describe('latest', () => {
  const bench = (value?: string, waitMs?: number) => {
    const subject = fed(value);
    const root = mount(dir<Fed>({ feed: latest<Fed>('Newest', (s) => s.feed) }), subject);
    const client = (tag: string) => new MemoryClient(root, { tag, ...(waitMs !== undefined && { waitMs }) });
    return { feed: subject.feed, client };
  };
  const soon = () => AbortSignal.timeout(30);

  it('gives what is there at a first look, and then waits for another value', async () => {
    const { feed, client } = bench('one');
    expect(await client('a').read('feed')).toBe('one');
    await expect(client('a').read('feed', soon())).rejects.toThrow('interrupted');
    feed.set(Buffer.from('two'));
    expect(await client('a').read('feed')).toBe('two');
    expect(await client('b').read('feed')).toBe('two');
  });

  it('waits for the first value', async () => {
    const { client } = bench();
    const read = client('a').read('feed');
    await client('b').write('feed', 'one\n');
    expect(await read).toBe('one\n');
  });

  it('gives a value again only after another was given', async () => {
    const { feed, client } = bench('one');
    await client('a').read('feed');
    feed.set(Buffer.from('two'));
    feed.set(Buffer.from('one'));
    await expect(client('a').read('feed', soon())).rejects.toThrow('interrupted');
  });

  it('gives bytes as they are', async () => {
    const { client } = bench();
    const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0a]);
    const handle = await client('a').open('feed', { read: true, write: true, truncate: false });
    await handle.write(0, bytes, NEVER);
    await handle.close('clunk');
    const again = await client('a').open('feed', { read: true, write: false, truncate: false });
    expect(Buffer.from(await again.read(0, 100, NEVER))).toEqual(bytes);
    expect(await again.read(4, 100, NEVER)).toHaveLength(0);
  });

  it('takes what comes with shorter pauses as one value, however long that takes', async () => {
    const { client } = bench();
    const read = client('a').read('feed');
    const handle = await client('w').open('feed', { read: false, write: true, truncate: false });
    for (const piece of ['a', 'b', 'c', 'd']) {
      await handle.write(0, Buffer.from(piece), NEVER);
      await sleep(PAUSE_MS / 2);
    }
    expect(await read).toBe('abcd');
    await handle.close('clunk');
  });

  it('waits for no pause after a close', async () => {
    const { client } = bench();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await client('w').write('feed', 'one\n');
    expect(timers()).toBe(before);
  });

  it('takes what was written before a pause of 200 ms as one value, with the file still open', async () => {
    const { client } = bench();
    const handle = await client('w').open('feed', { read: false, write: true, truncate: false });
    await handle.write(0, Buffer.alloc(4096, 'a'), NEVER);
    await handle.write(4096, Buffer.from('end\n'), NEVER);
    await expect(client('a').read('feed', soon())).rejects.toThrow('interrupted');
    expect(await client('a').read('feed')).toBe(`${'a'.repeat(4096)}end\n`);
    await handle.write(4100, Buffer.from('next\n'), NEVER);
    expect(await client('a').read('feed')).toBe('next\n');
    await handle.close('clunk');
  });

  describe('with a keeper that refuses', () => {
    const full = new Error('the disk is full');
    let isFull: boolean;

    const opened = async () => {
      isFull = true;
      const feed = new LatestValue(() => {
        if (isFull) throw full;
      });
      const root = mount(dir<Fed>({ feed: latest<Fed>('Newest', (s) => s.feed) }), { feed });
      const client = (tag: string) => new MemoryClient(root, { tag });
      return { client, handle: await client('w').open('feed', { read: false, write: true, truncate: false }) };
    };

    it('refuses the close, and nobody is given the value', async () => {
      const { client, handle } = await opened();
      await handle.write(0, Buffer.from('one'), NEVER);
      expect(() => handle.close('clunk')).toThrow(full);
      await expect(client('a').read('feed', soon())).rejects.toThrow('interrupted');
    });

    it('refuses what comes after a pause: the next write, or the close', async () => {
      const { client, handle } = await opened();
      await handle.write(0, Buffer.from('one'), NEVER);
      await sleep(PAUSE_MS + 50);
      expect(() => handle.write(3, Buffer.from('two'), NEVER)).toThrow(full);
      await handle.write(3, Buffer.from('three'), NEVER);
      await sleep(PAUSE_MS + 50);
      expect(() => handle.close('clunk')).toThrow(full);
      isFull = false;
      await client('w').write('feed', 'four');
      expect(await client('a').read('feed')).toBe('four');
    });
  });

  it('gives nothing to a client whose wait is over', async () => {
    const { client } = bench(undefined, 20);
    expect(await client('a').read('feed')).toBe('');
  });

  it('gives nothing once it is finished', async () => {
    const { feed, client } = bench('one');
    await client('a').read('feed');
    const read = client('a').read('feed');
    feed.finish();
    expect(await read).toBe('');
  });
});
