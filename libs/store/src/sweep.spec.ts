import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLog } from '#config';
import { retentionFrom } from './retention.js';
import type { SessionRecord } from './session-record.js';
import { SessionStore } from './session-store.js';
import { sweep } from './sweep.js';
import { Sweeper } from './sweeper.js';

async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array, void, undefined> {
  for (const text of texts) yield Buffer.from(text);
}

const DAY = 24 * 60 * 60;
const DAYS = { killedMs: 30 * DAY * 1000, blobsMs: 90 * DAY * 1000 };
const record = (id: string): SessionRecord => ({
  id,
  name: id,
  cwd: '/',
  remote: undefined,
  paused: false,
  created: 0,
  agents: [],
  lastProcess: 0,
});

describe('retention', () => {
  let data: string;
  let store: SessionStore;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-sweep-'));
    store = new SessionStore(data, silentLog);
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const files = () =>
    readdirSync(join(data, 'sessions'), { recursive: true })
      .map(String)
      .filter((name) => name.includes('.') || name.includes('/'))
      .sort();
  const makeOld = (name: string, days: number) =>
    utimesSync(join(data, name), Date.now() / 1000 - days * DAY, Date.now() / 1000 - days * DAY);

  /** Does `work` while the sweep reads the journal of that name. */
  async function sweptWhile(work: () => void, journal: string): Promise<void> {
    const gate = join(data, 'sessions', journal);
    execFileSync('mkfifo', [gate]);
    const swept = sweep(data, DAYS, silentLog);
    const opened = await open(gate, 'w'); // waits for who reads it, who then waits for its end
    work();
    await opened.close();
    await swept;
  }

  it('removes what was killed long enough ago, and nothing else', async () => {
    for (const id of ['old', 'new', 'live']) {
      store.save(record(`s-${id}`));
      store.agent(id).append([{ t: 'one' }]);
      store.agent(id).raw.append(Buffer.from('x'));
      await store.agent(id).outputs.keep(7, chunks('x'));
      makeOld(`sessions/${id}.jsonl`, 400);
    }
    for (const id of ['old', 'new']) {
      store.kill(`s-${id}`);
      store.killAgent(id);
    }
    writeFileSync(join(data, 'sessions/x.json.bad-1'), 'kept for ever');
    makeOld('sessions/x.json.bad-1', 4000);
    writeFileSync(join(data, 'sessions/y.json.tmp'), 'left over');
    makeOld('sessions/y.json.tmp', 1);
    for (const name of ['killed/old', 's-old.killed.json']) makeOld(`sessions/${name}`, 31);
    await sweep(data, DAYS, silentLog);
    expect(files()).toEqual([
      'killed/new',
      'live.chat',
      'live.jsonl',
      'live.out',
      'live.out/7',
      'new.chat',
      'new.jsonl',
      'new.out',
      'new.out/7',
      's-live.session.json',
      's-new.killed.json',
      'x.json.bad-1',
    ]);
  });

  it('leaves the files of an agent that a session speaks of', async () => {
    const agent = {
      id: 'a',
      name: 'a',
      profile: 'p',
      backend: undefined,
      model: undefined,
      maxSteps: undefined,
      cwd: '/',
      parent: undefined,
    };
    store.save({ ...record('s'), agents: [{ ...agent, depth: 0, settings: {}, created: 0 }] });
    store.agent('a').append([{ t: 'one' }]);
    store.killAgent('a');
    makeOld('sessions/killed/a', 31);
    await sweep(data, DAYS, silentLog);
    expect(files()).toEqual(['a.jsonl', 's.session.json']);
  });

  it('removes old blobs that nobody speaks of', async () => {
    const [used, unused, young] = ['used', 'unused', 'young'].map((text) => store.blobs.put(Buffer.from(text)));
    for (const hash of [used, unused]) makeOld(`blobs/${hash?.slice(0, 2) ?? ''}/${hash ?? ''}`, 91);
    store.agent('a').append([{ t: 'message', m: { content: [{ type: 'text', blob: used }] } }]);
    await sweep(data, DAYS, silentLog);
    expect([used, unused, young].map((hash) => store.blobs.find(hash ?? '')?.toString())).toEqual(['used', undefined, 'young']);
  });

  it.each(['0.jsonl', 'z.jsonl'])('leaves those whose message passes from a journal into a snapshot meanwhile (%s)', async (name) => {
    const hash = store.blobs.put(Buffer.from('used'));
    makeOld(`blobs/${hash.slice(0, 2)}/${hash}`, 91);
    const message = { content: [{ type: 'text', blob: hash }] };
    const files = store.agent('a');
    files.append([{ t: 'message', m: message }]);
    await sweptWhile(() => files.replaceSnapshot({ messages: [message] }), name);
    expect(store.blobs.find(hash)?.toString()).toBe('used');
  });

  it('leaves those that are kept again meanwhile', async () => {
    const hash = store.blobs.put(Buffer.from('used'));
    makeOld(`blobs/${hash.slice(0, 2)}/${hash}`, 91);
    await sweptWhile(() => void store.blobs.put(Buffer.from('used')), 'z.jsonl');
    expect(store.blobs.find(hash)?.toString()).toBe('used');
  });

  it('gets over files that are gone when it comes to them', async () => {
    const warned: string[] = [];
    const hash = store.blobs.put(Buffer.from('unused'));
    makeOld(`blobs/${hash.slice(0, 2)}/${hash}`, 91);
    symlinkSync(join(data, 'gone'), join(data, 'sessions/b.jsonl'));
    await sweep(data, DAYS, { ...silentLog, warn: (text) => void warned.push(text) });
    expect(warned).toEqual([]);
    expect(store.blobs.find(hash)).toBeUndefined();
  });

  it('runs at once, and ends when it is told to', async () => {
    store.agent('a').append([{ t: 'one' }]);
    store.killAgent('a');
    makeOld('sessions/killed/a', 1);
    await new Sweeper(data, { killedMs: 1000, blobsMs: Infinity }, silentLog).stop();
    expect(files()).toEqual([]);
  });

  it.each([
    ['', 30 * DAY * 1000],
    ['7d', 7 * DAY * 1000],
    ['12h', 12 * 60 * 60 * 1000],
    ['never', Infinity],
  ])('is set by OLLIE_KEEP_KILLED=%s', (text, killedMs) => {
    expect(retentionFrom({ OLLIE_KEEP_KILLED: text })).toEqual({ killedMs, blobsMs: 90 * DAY * 1000 });
  });

  it('refuses what is no age', () => {
    expect(() => retentionFrom({ OLLIE_KEEP_BLOBS: 'soon' })).toThrow('OLLIE_KEEP_BLOBS: soon is no age (write 30d, 12h or never)');
  });
});
