import { resolve } from 'node:path';
import { Client, openMode, parseAddress } from '#ninep';
import { Ollie, until } from './ollie.js';

jest.setTimeout(180_000);

const AGENT = 'session/s/agent/a';
const LAST = '"topic":"session.created","session":';

/** Numbers from 0 up to 1, always the same for one seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('clients that come and go', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start());
  afterAll(() => ollie.destroy());

  /** Reads a growing file to where `isEnd` holds, over as many connections as it takes. */
  async function follow(
    path: string,
    random: () => number,
    isEnd: (text: string) => boolean,
  ): Promise<{ readonly text: string; readonly hangups: number }> {
    const pieces: Buffer[] = [];
    let [at, hangups] = [0, 0];
    while (!isEnd(Buffer.concat(pieces).toString())) {
      const client = await ollie.dial();
      try {
        at += await readSome(client, path, { at, random, pieces });
      } catch (error) {
        if (!(error instanceof Error)) throw error; // hung up in the middle of a read: on from what has come
      }
      client.close();
      hangups += 1;
    }
    return { text: Buffer.concat(pieces).toString(), hangups };
  }

  interface Part {
    readonly at: number;
    readonly random: () => number;
    readonly pieces: Buffer[];
  }

  async function readSome(client: Client, path: string, { at, random, pieces }: Part): Promise<number> {
    const file = await client.open(path, openMode.read);
    const patience = setTimeout(() => client.close(), 20 + random() * 200);
    let length = 0;
    try {
      for (let left = Math.ceil(random() * 6); left > 0; left--) {
        const piece = await file.read(at + length, 1 + Math.floor(random() * 3000));
        pieces.push(Buffer.from(piece));
        length += piece.length;
      }
    } catch (error) {
      if (length === 0) throw error;
    } finally {
      clearTimeout(patience);
    }
    return length;
  }

  it('end with the same events and the same bytes of chat', async () => {
    const client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    await client.ask('session/s/agent/new', 'name=a\n');
    const seed = 20_261_130;
    const isOver = (text: string): boolean => text.includes('the last\n[scripted] the last\n');
    const chats = [1, 2, 3].map((n) => follow(`${AGENT}/chat`, randomOf(seed + n), isOver));
    const lists = [4, 5, 6].map((n) => follow('events', randomOf(seed + n), (text) => text.includes('{"name":"last"}')));
    for (let turn = 0; turn < 15; turn++)
      await client.writeAll(`${AGENT}/prompt`, `${turn % 3 === 0 ? 'run echo' : 'lorem'} ${500 + turn * 200}\n`);
    await client.writeAll(`${AGENT}/prompt`, 'say the last\n');
    const read = await Promise.all(chats);
    await client.ask('session/new', 'name=last\n');
    const events = await Promise.all(lists);
    const chat = new TextDecoder().decode(await client.readAll(`${AGENT}/chat`));
    expect(read.map(({ text }) => text)).toEqual([chat, chat, chat]);
    const [first] = events;
    expect(events.map(({ text }) => text)).toEqual([first?.text, first?.text, first?.text]);
    const ids = (first?.text ?? '')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(ids.map((_id, index) => index + 1));
    expect(Math.min(...[...read, ...events].map(({ hangups }) => hangups))).toBeGreaterThan(3);
    expect(first?.text).toContain(LAST);
    client.close();
  });
});

describe('clients that never read on', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start({ node: ['--expose-gc', '--import', resolve(__dirname, 'heap-probe.mjs')] }));
  afterAll(() => ollie.destroy());

  it('cost no memory, however much happens', async () => {
    const client = await ollie.dial();
    const idlers = await Promise.all(Array.from({ length: 30 }, () => ollie.dial()));
    for (const idler of idlers) {
      const files = await Promise.all(['eventwait', 'events'].map((path) => idler.open(path, openMode.read)));
      void Promise.allSettled(files.map((file) => file.read(0, 100)));
    }
    await fail(client, 9000);
    const early = await heap();
    await fail(client, 9000);
    expect((await heap()) - early).toBeLessThan(4 * 1024 * 1024);
    expect(Number((await client.stat('events')).length)).toBeGreaterThan(2 * 1024 * 1024);
    const reader = await Client.dial({ address: parseAddress(ollie.address), uname: 'tester', aname: 'wait=1ms' });
    expect(
      new TextDecoder()
        .decode(await reader.readAll('events'))
        .split('\n')
        .at(-2),
    ).toContain('"topic":"error","data":{"text":"/approvals/resolve: illegal argument: not JSON:');
    reader.close();
    for (const idler of idlers) idler.close();
    client.close();
  });

  /** So many events: each of these closes fails, which is one. */
  async function fail(client: Client, many: number): Promise<void> {
    for (let left = many; left > 0; left -= 100)
      await Promise.allSettled(Array.from({ length: 100 }, () => client.writeAll('approvals/resolve', 'x')));
  }

  async function heap(): Promise<number> {
    const before = reports().length;
    process.kill(ollie.pid, 'SIGUSR2');
    await until('the heap is told', () => reports().length > before);
    return Number(reports().at(-1));
  }

  function reports(): readonly string[] {
    return [...ollie.stderr.matchAll(/^heap=([0-9]+)$/gm)].map(([, bytes]) => bytes ?? '');
  }
});
