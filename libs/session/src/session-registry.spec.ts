import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AgentFactory, ProfileStore } from '#agent';
import { SystemClock } from '#model';
import { logTo, Paths, silentLog } from '#config';
import { FakeApprovalDesk, FakeEvents, FakeBackend, FakeBackendCatalog, FakeToolHostFactory, type FakeAnswer } from '#testkit';
import { KeptSessions } from './kept-sessions.js';
import { SessionDefaults } from './session-defaults.js';
import { SessionRegistry } from './session-registry.js';

const NEVER = new AbortController().signal;

describe('the sessions of a server', () => {
  let home: string;
  let warnings: string;
  let hosts: FakeToolHostFactory;
  let events: FakeEvents;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'ollie-session-')));
    mkdirSync(join(home, 'project'));
    mkdirSync(join(home, '.config/ollie/agents'), { recursive: true });
    writeFileSync(join(home, '.config/ollie/agents/elsewhere.json'), '{ "backend": "acme" }');
    warnings = '';
    hosts = new FakeToolHostFactory();
    events = new FakeEvents();
  });
  afterEach(() => rmSync(home, { recursive: true }));

  function registry(...answers: readonly FakeAnswer[]): SessionRegistry {
    const backends = new FakeBackendCatalog(new FakeBackend(answers));
    const factory = new AgentFactory({ backends, clock: new SystemClock(), log: silentLog, events, approvals: new FakeApprovalDesk() });
    const log = logTo([{ write: (line) => void (warnings += line), flush: async () => undefined }], 'test', 'warn');
    const environment = { OLLIE: '/mnt/ollie', OLLIE_OPENAI_KEY: 'secret', OLLIE_X_TOKEN: 'secret', PATH: '/bin', OLLIE_NOTE: 'a\tb' };
    return new SessionRegistry(
      factory,
      new ProfileStore(Paths.from({ HOME: home }), silentLog),
      hosts,
      new SessionDefaults(home, home, environment, log, new KeptSessions(undefined, log)),
      events,
    );
  }

  async function session(sessions: SessionRegistry, request = 'name=s') {
    const name = (await sessions.answer(request)).trim();
    return sessions.find(name) ?? fail(name);
  }

  async function text(answer: Promise<string | AsyncIterable<string>>): Promise<string> {
    const given = await answer;
    if (typeof given === 'string') return given;
    let all = '';
    for await (const piece of given) all += piece;
    return all;
  }

  it('have the name that was asked for, or their id', async () => {
    const sessions = registry();
    expect(await sessions.answer('name=myproj\n')).toBe('myproj\n');
    const unnamed = (await sessions.answer('\n')).trim();
    expect(unnamed).toMatch(/^[0-9]{19}-[0-9a-f]{6}$/);
    expect(sessions.find(unnamed)?.name).toBe(unnamed);
  });

  it('are found by name and by id, and listed in order of creation', async () => {
    const sessions = registry();
    const [b, a] = [await session(sessions, 'name=b'), await session(sessions, 'name=a')];
    expect(sessions.find(b.id)).toBe(b);
    expect(sessions.find('nobody')).toBeUndefined();
    expect(sessions.index()).toBe(`b\t${b.id}\tidle\t0\t-\na\t${a.id}\tidle\t0\t-\n`);
  });

  it('have names that nobody else has, as name or as id', async () => {
    const sessions = registry();
    const { id } = await session(sessions, 'name=s');
    await expect(sessions.answer('name=s')).rejects.toThrow('session already exists: s');
    await expect(sessions.answer(`name=${id}`)).rejects.toThrow(`session already exists: ${id}`);
  });

  it('live in a directory that must be there', async () => {
    const sessions = registry();
    expect((await session(sessions, 'cwd=~/project')).cwd).toBe(join(home, 'project'));
    await expect(sessions.answer('cwd=project')).rejects.toThrow('illegal value: cwd=project: the path must be absolute or begin with ~/');
    await expect(sessions.answer('cwd=/no/such')).rejects.toThrow('no such directory: /no/such');
  });

  it('show their OLLIE_ variables, sorted, escaped and without secrets', async () => {
    const s = await session(registry());
    expect(s.env()).toBe(`OLLIE=/mnt/ollie\nOLLIE_NOTE=a\\tb\nOLLIE_SESSION=s\nOLLIE_SESSION_ID=${s.id}\n`);
  });

  it('name every id and its path', async () => {
    const sessions = registry();
    const s = await session(sessions);
    const agentId = (await text(s.agents.answer('name=coding', NEVER))).trim();
    expect(sessions.aliases()).toBe(`${s.id}\tsession/s\n${agentId}\tsession/s/agent/coding\n`);
  });

  it('end with their agents and their tool server, and leave the name free', async () => {
    const sessions = registry({ hangs: true });
    const s = await session(sessions);
    const agent = await s.agents.create({ ...NOTHING, name: 'a' });
    agent.submit('wait');
    expect(s.state).toBe('running');
    await s.close();
    expect(agent.state.value).toBe('killed');
    expect(hosts.hosts.get(s.id)?.closed).toBe(true);
    expect(sessions.find('s')).toBeUndefined();
    await expect(s.agents.answer('name=late', NEVER)).rejects.toThrow('no such session: s');
    expect(await sessions.answer('name=s')).toBe('s\n');
  });

  describe('agents', () => {
    it('get the id as answer, and name, directory, backend and model as asked', async () => {
      const s = await session(registry());
      const id = (await text(s.agents.answer('name=coding cwd=~/project model=m', NEVER))).trim();
      expect(s.agents.find('coding')).toBe(s.agents.find(id));
      expect(s.agents.index()).toBe(`coding\t${id}\tidle\tdefault\tfake\tm\t${join(home, 'project')}\n`);
    });

    it.each([
      ['name=a', 'agent already exists: a'],
      ['cwd=/no/such', 'no such directory: /no/such'],
      ['cwd=project', 'illegal value: cwd=project: the path must be absolute or begin with ~/'],
      ['cwd=~nobody', 'illegal value: cwd=~nobody: '],
      ['backend=nope', 'no such backend: nope'],
      ['agent=elsewhere', 'no such backend: acme'],
      ['agent=nobody', 'no such profile: nobody'],
      ['parent=nobody', 'no such agent: nobody'],
    ])('refuse %s', async (request, complaint) => {
      const s = await session(registry());
      await s.agents.answer('name=a', NEVER);
      await expect(s.agents.answer(request, NEVER)).rejects.toThrow(complaint);
      expect(s.agents.all).toHaveLength(1);
    });

    it('inherit from their parent, three levels deep and no deeper', async () => {
      const s = await session(registry());
      await s.agents.answer('name=a0 cwd=~/project model=m', NEVER);
      for (const [parent, child] of [
        ['a0', 'a1'],
        ['a1', 'a2'],
        ['a2', 'a3'],
      ]) {
        await s.agents.answer(`name=${child} parent=${parent}`, NEVER);
      }
      expect(s.agents.find('a3')).toMatchObject({ cwd: join(home, 'project'), modelName: 'm', identity: { depth: 3 } });
      await expect(s.agents.answer('parent=a3', NEVER)).rejects.toThrow('permission denied: subagent depth limit (3)');
    });

    it('take their children along when they end', async () => {
      const s = await session(registry());
      await s.agents.answer('name=top', NEVER);
      await s.agents.answer('name=below parent=top', NEVER);
      await s.agents.answer('name=other', NEVER);
      const top = s.agents.find('top') ?? fail('top');
      await s.agents.kill(top);
      expect(s.agents.all.map((agent) => agent.name)).toEqual(['other']);
    });

    it('are gone from the session when they were killed by themselves', async () => {
      const s = await session(registry());
      const agent = await s.agents.create({ ...NOTHING, name: 'a' });
      await agent.kill();
      await setImmediate();
      expect(s.agents.find('a')).toBeUndefined();
    });
  });

  describe('a sub-agent', () => {
    it('answers with the last text and is gone', async () => {
      const s = await session(registry({ text: ['it is ', 'done'] }));
      expect(await text(s.agents.answer('cwd=~/project\nprompt=do it\n', NEVER))).toBe('it is done');
      expect(s.agents.all).toEqual([]);
    });

    it('is paid for by its parent, and by the parent of that', async () => {
      const usage = { inputTokens: 1, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 2 };
      const s = await session(
        registry({ text: 'a', usage: { ...usage, costUSD: 0.25 } }, { text: 'b', usage: { ...usage, costUSD: 0.5 } }),
      );
      const [top, below] = [
        await s.agents.create({ ...NOTHING, name: 'top' }),
        await s.agents.create({ ...NOTHING, name: 'below', parent: 'top' }),
      ];
      for (let i = 0; i < 2; i += 1) await text(s.agents.answer('parent=below prompt=x', NEVER));
      const shown = [top, below].map((agent) =>
        agent
          .stats()
          .split('\n')
          .filter((line) => /^(cost|session|lastTurn|totalRe)/.test(line)),
      );
      const paid = ['costKnown=true', 'totalRequests=0', 'sessionCostUSD=0.75'];
      expect(shown).toEqual([paid, paid]);
      expect(top.account.budgetText).toContain('usd= spent=0.75\n');
      await text(s.agents.answer('parent=top prompt=x', NEVER));
      expect([top, below].map((agent) => /costKnown=\w+/.exec(agent.stats())?.[0])).toEqual(['costKnown=false', 'costKnown=true']);
      await top.kill();
      await below.kill();
    });

    it('is interrupted and removed when the asker gives up', async () => {
      const s = await session(registry({ hangs: true }));
      const asker = new AbortController();
      const answer = await s.agents.answer('name=sub prompt=wait', asker.signal);
      const agent = s.agents.find('sub') ?? fail('sub');
      expect(agent.state.value).toBe('running');
      asker.abort();
      await agent.state.until((state) => state === 'killed', NEVER);
      expect(s.agents.all).toEqual([]);
      await expect(text(Promise.resolve(answer))).rejects.toThrow('interrupted');
    });

    it('is gone too when its turn fails, and the failure is told', async () => {
      const s = await session(registry({ breaks: true }, { breaks: true }, { breaks: true }, { breaks: true }));
      const { sub } = { sub: await s.agents.answer('model=m prompt=x', NEVER) };
      const agent = s.agents.all[0] ?? fail('agent');
      await agent.stop();
      await expect(text(Promise.resolve(sub))).rejects.toThrow('i/o error: subagent: ');
      expect(s.agents.all).toEqual([]);
    });

    it('that nobody waits for reports its failure to the log', async () => {
      const s = await session(registry());
      s.agents.reportUnread(new Error('it broke'));
      expect(warnings).toContain('warn test: session s: it broke');
    });
  });

  it('end all at once', async () => {
    const sessions = registry();
    await session(sessions, 'name=a');
    await session(sessions, 'name=b');
    await sessions.close();
    expect(sessions.all).toEqual([]);
    expect([...hosts.hosts.values()].every((host) => host.closed)).toBe(true);
  });
});

const NOTHING = {
  name: undefined,
  cwd: undefined,
  profile: undefined,
  backend: undefined,
  model: undefined,
  parent: undefined,
  maxSteps: undefined,
  prompt: undefined,
};

function fail(what: string): never {
  throw new Error(`not there: ${what}`);
}
