import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { logTo, silentLog } from '#config';
import type { SessionRecord } from './session-record.js';
import { SessionStore } from './session-store.js';

const ID = '1764498300123456789-a1b2c3';
const AGENT = '1764498301123456789-0f9e8d';
const agent = {
  id: AGENT,
  name: 'coding',
  profile: 'default',
  backend: undefined,
  model: 'm',
  maxSteps: 3,
  cwd: '/p',
  parent: undefined,
  depth: 0,
  settings: { temperature: '0.2' },
  created: 1764498301123,
};
const session: SessionRecord = {
  id: ID,
  name: 's',
  cwd: '/p',
  remote: undefined,
  paused: true,
  created: 1764498300123,
  agents: [agent],
  lastProcess: 7,
};

describe('the session store', () => {
  let data: string;
  let said: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'ollie-store-'));
    said = '';
  });
  afterEach(() => rmSync(data, { recursive: true }));

  const open = () =>
    new SessionStore(data, logTo([{ write: (line) => void (said += line), flush: async () => undefined }], 'test', 'warn'));
  const put = (name: string, value: unknown) => {
    mkdirSync(join(data, 'sessions'), { recursive: true });
    writeFileSync(join(data, 'sessions', name), typeof value === 'string' ? value : JSON.stringify(value));
  };

  it('gives back what was saved, by id', () => {
    open().save(session);
    open().save({ ...session, id: '0000000000000000001-000000', agents: [] });
    expect(open().sessions()).toEqual([{ ...session, id: '0000000000000000001-000000', agents: [] }, session]);
    expect(JSON.parse(readFileSync(open().path(ID), 'utf8'))).toMatchObject({ version: 1, id: ID, name: 's', remote: null, paused: true });
    expect(statSync(open().path(ID)).mode & 0o777).toBe(0o600);
  });

  it('does not bring back a killed session, and keeps its files', () => {
    open().save(session);
    open().kill(ID);
    expect(open().sessions()).toEqual([]);
    expect(readdirSync(join(data, 'sessions'))).toContain(`${ID}.killed.json`);
  });

  it('reads the form of version 0, whose agents are ids and whose times are in the ids', () => {
    put('1764498300123-a1b2c3.session.json', { id: '1764498300123-a1b2c3', name: 'old', agents: ['1764498300999-a1b2c3'] });
    expect(open().sessions()).toMatchObject([
      {
        name: 'old',
        created: 1764498300123,
        paused: false,
        agents: [{ name: '1764498300999-a1b2c3', profile: 'default', created: 1764498300999 }],
      },
    ]);
    expect(said).toBe('');
  });

  it.each([
    ['no JSON', '{', 'it is no JSON object'],
    ['a newer version', { version: 2, id: 'x', name: 'x', agents: [] }, 'a newer Ollie wrote it (version 2)'],
    ['no agents', { version: 1, id: 'x', name: 'x' }, 'id, name or agents is missing'],
  ])('sets aside a file with %s', (_what, value, why) => {
    put('x.session.json', value);
    open().save(session);
    expect(open().sessions()).toEqual([session]);
    expect(said).toContain(`x.session.json cannot be used: ${why}; it was set aside as x.session.json.bad-`);
  });

  it('keeps a blob once under its hash, and makes it young when it is kept again', () => {
    const { blobs } = open();
    const hash = blobs.put(Buffer.from('abc'));
    expect(hash).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
    const path = join(data, 'blobs/ba', hash);
    utimesSync(path, 1000, 1000);
    blobs.put(Buffer.from('abc'));
    expect(statSync(path).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(blobs.find(hash)?.toString()).toBe('abc');
    expect(blobs.find('../../etc/passwd')).toBeUndefined();
    expect(blobs.find('0'.repeat(64))).toBeUndefined();
  });

  it('lists 1,000 sessions of ten agents well within a second', () => {
    const store = open();
    const agents = Array.from({ length: 10 }, (_none, number) => ({ ...agent, id: String(number) }));
    for (let number = 0; number < 1000; number += 1) store.save({ ...session, id: String(number).padStart(19, '0'), agents });
    const begin = performance.now();
    expect(open().sessions()).toHaveLength(1000);
    expect(performance.now() - begin).toBeLessThan(4000);
  });

  it('hands out bytes that stay as they were', () => {
    const { raw } = new SessionStore(data, silentLog).agent(AGENT);
    raw.append(Buffer.from('abc'));
    const early = raw.slice(0, 10);
    for (let part = 0; part < 2000; part += 1) raw.append(Buffer.from('defg'));
    expect(Buffer.from(early).toString()).toBe('abc');
    raw.rest();
    expect(Buffer.from(raw.slice(1, 4)).toString()).toBe('bcde');
    expect(raw.length).toBe(8003);
    const again = open().agent(AGENT).raw;
    again.append(Buffer.from('!'));
    expect(Buffer.from(again.slice(8000, 9)).toString()).toBe('efg!');
    expect(Buffer.from(again.slice(8003, 9)).toString()).toBe('!');
    expect(again.slice(8004, 9)).toHaveLength(0);
  });
});
