import { resolve } from 'node:path';
import type { Client } from '#ninep';
import { Chat, Ollie, until } from './ollie.js';

jest.setTimeout(180_000);

const MAX_GROWTH_BYTES = 10 * 1024 * 1024;

describe('the memory of a long conversation', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start({ node: ['--expose-gc', '--import', resolve(__dirname, 'heap-probe.mjs')] }));
  afterAll(() => ollie.destroy());

  it('grows by at most 10 MB from turn 100 to turn 500', async () => {
    const client = await ollie.dial();
    await client.ask('session/new', 'name=s\n');
    await client.ask('session/s/agent/new', 'name=a\n');
    const chat = await Chat.open(client, 'session/s/agent/a');
    await turns(client, chat, 100);
    const early = await heap();
    await turns(client, chat, 400);
    const late = await heap();
    expect(await statOf(client, 'turns')).toBe('500');
    expect(late - early).toBeLessThanOrEqual(MAX_GROWTH_BYTES);
    client.close();
  });

  async function turns(client: Client, chat: Chat, count: number): Promise<void> {
    for (let turn = 0; turn < count; turn++) {
      await client.writeAll('session/s/agent/a/prompt', 'lorem 1000\n');
      await chat.rest();
    }
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

  async function statOf(client: Client, key: string): Promise<string | undefined> {
    const text = new TextDecoder().decode(await client.readAll('session/s/agent/a/stats'));
    return new RegExp(`^${key}=(.*)$`, 'm').exec(text)?.[1];
  }
});
