import { resolve } from 'node:path';
import type { Client } from '#ninep';
import { Ollie, until } from '../e2e/ollie.js';
import * as attacks from './attacks.js';

jest.setTimeout(180_000);

const MAX_GROWTH_BYTES = 20 * 1024 * 1024;
const MAX_ATTACH_MS = 2000;
/** What else runs on this machine may delay one of them. */
const ATTEMPTS = 3;

describe('a server among hostile clients', () => {
  const ollie = new Ollie();
  let before: number;

  beforeAll(async () => {
    await ollie.start({
      node: ['--expose-gc', '--import', resolve(__dirname, 'memory-probe.mjs')],
    });
    const client = await ollie.dial();
    await client.ask('session/new', 'name=abuse\n');
    await client.ask('session/abuse/agent/new', 'name=a\n');
    client.close();
    before = await memory();
  });
  afterAll(() => ollie.destroy());

  it.each(Object.entries(attacks))('lets others in during and forgets all after %s', async (_name, attack) => {
    const hostiles = await attack(socket());
    await attach();
    for (const hostile of hostiles) hostile.hangUp();
    await until('the memory is as before', async () => (await memory()) - before < MAX_GROWTH_BYTES);
    expect(ollie.stderr).not.toContain('9P:');
    await attach();
  });

  it('keeps what floods ask for within bounds', async () => {
    const hostiles = await attacks.floods(socket());
    await new Promise((done) => setTimeout(done, 1000));
    expect((await memory()) - before).toBeLessThan(hostiles.length * 4 * 1024 * 1024);
    for (const hostile of hostiles) hostile.hangUp();
  });

  function socket(): string {
    return `${ollie.folder}/ns/ollie`;
  }

  /** A client comes, reads and goes, soon enough. */
  async function attach(): Promise<void> {
    const took: number[] = [];
    while (took.length < ATTEMPTS && !took.some((ms) => ms < MAX_ATTACH_MS)) took.push(await attachOnce());
    expect(Math.min(...took)).toBeLessThan(MAX_ATTACH_MS);
  }

  async function attachOnce(): Promise<number> {
    const started = performance.now();
    const client: Client = await ollie.dial();
    expect(Buffer.from(await client.readAll('session/abuse/agent/a/name')).toString()).toBe('a\n');
    client.close();
    return performance.now() - started;
  }

  async function memory(): Promise<number> {
    const seen = reports().length;
    process.kill(ollie.pid, 'SIGUSR2');
    await until('the memory is told', () => reports().length > seen);
    return Number(reports().at(-1));
  }

  function reports(): readonly string[] {
    return [...ollie.stderr.matchAll(/^memory=([0-9]+)$/gm)].map(([, bytes]) => bytes ?? '');
  }
});

describe('a server with as many clients as it may have', () => {
  const ollie = new Ollie();
  beforeAll(() => ollie.start({ args: ['--limit', 'connections=20'] }));
  afterAll(() => ollie.destroy());

  it('says so to the next one, and takes one for each that goes', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => ollie.dial()));
    await expect(ollie.dial()).rejects.toThrow('i/o error: too many connections');
    clients[0]?.close();
    await until('there is a place', async () => {
      const [attempt] = await Promise.allSettled([ollie.dial()]);
      if (attempt?.status === 'fulfilled') attempt.value.close();
      return attempt?.status === 'fulfilled';
    });
    for (const client of clients) client.close();
  });
});
