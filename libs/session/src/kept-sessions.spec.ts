import { appendFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentFactory, ProfileStore } from '#agent';
import { SystemClock } from '#model';
import { logTo, Paths, silentLog } from '#config';
import { SessionStore } from '#store';
import { type FakeAnswer, FakeApprovalDesk, FakeBackend, FakeBackendCatalog, FakeEvents, FakeToolHostFactory } from '#testkit';
import { KeptSessions } from './kept-sessions.js';
import { SessionDefaults } from './session-defaults.js';
import { SessionRegistry } from './session-registry.js';

const NEVER = new AbortController().signal;

describe('sessions that are kept', () => {
  let home: string;
  let said: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'ollie-kept-sessions-'));
    said = '';
  });
  afterEach(() => rmSync(home, { recursive: true }));

  /** A server's registry on the same data; the one before it is just left, as by a sudden death. */
  const hands = () => [...(lastHands?.numbers.values() ?? [])];
  let lastHands: FakeToolHostFactory | undefined;

  function registry(...answers: readonly FakeAnswer[]): SessionRegistry {
    const log = logTo([{ write: (line) => void (said += line), flush: async () => undefined }], 'test', 'warn');
    const events = new FakeEvents();
    const backends = new FakeBackendCatalog(new FakeBackend(answers));
    const factory = new AgentFactory({ backends, clock: new SystemClock(), log: silentLog, events, approvals: new FakeApprovalDesk() });
    const kept = new KeptSessions(new SessionStore(join(home, 'data'), log), log);
    const profiles = new ProfileStore(Paths.from({ HOME: home }), silentLog);
    const sessions = new SessionRegistry(
      factory,
      profiles,
      (lastHands = new FakeToolHostFactory()),
      new SessionDefaults(home, home, {}, log, kept),
      events,
    );
    sessions.restore();
    return sessions;
  }

  async function start(request = 'name=s'): Promise<SessionRegistry> {
    const sessions = registry();
    await sessions.answer(request);
    return sessions;
  }

  it('come back with their agents, in order, with their parents', async () => {
    const first = await start();
    await first.answer('name=t');
    const session = first.find('s') ?? fail('s');
    for (const request of ['name=a model=m', 'name=b parent=a maxSteps=4']) await session.agents.answer(request, NEVER);
    const second = registry();
    expect(second.index()).toBe(first.index());
    expect(second.aliases()).toBe(first.aliases());
    expect(second.find('s')?.agents.index()).toBe(session.agents.index());
    const child = second.find('s')?.agents.find('b');
    expect(child?.identity).toMatchObject({ depth: 1, parentId: session.agents.find('a')?.id });
    expect(child?.settings.maxSteps).toBe(4);
  });

  it('come back after an orderly end, and their sub-agents and what was killed do not', async () => {
    const first = await start();
    const session = first.find('s') ?? fail('s');
    await session.agents.answer('name=a', NEVER);
    const reply = await session.agents.answer('name=sub prompt=hello', NEVER);
    const pieces: string[] = [];
    for await (const piece of reply) pieces.push(piece);
    expect(pieces.join('')).toBe('done');
    await first.answer('name=gone');
    await first.find('gone')?.close();
    await first.close();
    const second = registry();
    expect(second.all.map(({ name }) => name)).toEqual(['s']);
    expect(second.find('s')?.agents.all.map(({ name }) => name)).toEqual(['a']);
    expect(readdirSync(join(home, 'data/sessions/killed'))).toHaveLength(1);
  });

  it('come back without the sub-agents that an orderly end interrupts', async () => {
    const first = registry({ hangs: true });
    await first.answer('name=s');
    const session = first.find('s') ?? fail('s');
    const reply = await session.agents.answer('name=sub prompt=hello', NEVER);
    const read = async () => {
      for await (const piece of reply) said += piece;
    };
    const [outcome] = await Promise.allSettled([read(), first.close()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'i/o error: subagent: interrupted' } });
    expect(registry().find('s')?.agents.all).toEqual([]);
    expect(readdirSync(join(home, 'data/sessions/killed'))).toHaveLength(1);
  });

  it('give an agent whose profile is gone the default one, under its name', async () => {
    const first = await start();
    await first.find('s')?.agents.answer('name=a', NEVER);
    const store = new SessionStore(join(home, 'data'), silentLog);
    const [record] = store.sessions();
    if (record) store.save({ ...record, agents: record.agents.map((agent) => ({ ...agent, profile: 'lost' })) });
    const agent = registry().find('s')?.agents.find('a');
    expect(agent?.profileName).toBe('lost');
    expect(said).toContain('no such profile: lost; it has the default profile');
  });

  it('are listed without those whose file is no session, and forget marks of agents that are gone', async () => {
    await start();
    writeFileSync(join(home, 'data/sessions/x.session.json'), '{');
    appendFileSync(join(home, 'data/sessions/working.log'), '+nobody\n');
    expect(registry().all.map(({ name }) => name)).toEqual(['s']);
    expect(said).toContain('x.session.json cannot be used');
    expect([...new SessionStore(join(home, 'data'), silentLog).working()]).toEqual([]);
  });

  it('number their processes on, over a renaming and a sudden death', async () => {
    const first = await start();
    hands()[0]?.keep(256);
    first.find('s')?.givenName.change('t');
    const second = registry();
    expect([second.all.map(({ name }) => name), hands().map(({ last }) => last)]).toEqual([['t'], [256]]);
  });

  it('are written where they say', async () => {
    const session = (await start()).find('s') ?? fail('s');
    expect(session.save()).toBe(`saved ${join(home, 'data/sessions', `${session.id}.session.json`)}`);
  });
});
