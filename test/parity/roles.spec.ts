import { mkdirSync, rmdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '#ninep';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

type Deed = readonly [what: string, run: (client: Client) => Promise<unknown>];

const DENIED = 'permission denied';
const ME = 'session/s/agent/me';
const CHILD = 'session/s/agent/child';
const SIBLING = 'session/s/agent/sibling';
const GRANDCHILD = 'session/s/agent/grandchild';
const STRANGER = 'session/t/agent/stranger';

const write = (path: string, text = 'x\n'): Deed => [`write ${path} ${text.trim()}`, (client) => client.writeAll(path, text)];
const read = (path: string): Deed => [`read ${path}`, (client) => client.readAll(path)];
const ctl = (path: string, line: string): Deed => [`${path}/ctl ${line}`, (client) => answerOf(client, `${path}/ctl`, `${line}\n`)];
const ask = (path: string, request: string): Deed => [`${path} ${request}`, (client) => answerOf(client, path, `${request}\n`)];
const rename = (path: string): Deed => [`rename ${path}`, (client) => client.wstat(path, { name: 'other' })];
const remove = (path: string): Deed => [`remove ${path}`, (client) => client.remove(path)];

/** What changes the server, a session or whose agent it is: nobody's but the owner's. */
const OWNERS: readonly Deed[] = [
  ...['invalidate', 'kill'].map((line): Deed => [`ctl ${line}`, (client) => answerOf(client, 'ctl', `${line}\n`)]),
  ask('session/new', 'name=mine'),
  ...['kill', 'save', 'invalidate', 'pause', 'resume'].map((line) => ctl('session/s', line)),
  write('session/s/name'),
  rename('session/s'),
  remove('session/s'),
  ...[ME, CHILD, SIBLING].flatMap((agent) => [
    write(`${agent}/name`),
    rename(agent),
    remove(agent),
    ctl(agent, 'name other'),
    ctl(agent, 'name'),
    ...['cwd', 'cwd /', 'agent', 'agent default', 'model', 'model x', 'backend'].map((line) => ctl(agent, line)),
    write(`${agent}/cfg`, 'cwd=/\n'),
    write(`${agent}/cfg`, 'temperature=1\n'),
    write(`${agent}/budget`, 'usd=\n'),
    write(`${agent}/fifo`),
    read(`${agent}/fifo`),
    write(`${agent}/feed`),
    write(`${agent}/id`),
  ]),
];

/** What only the owner sees at all. */
const HIDDEN: readonly Deed[] = [
  ...['pending', 'log'].map((file) => read(`approvals/${file}`)),
  write('approvals/resolve', '{"id":"a-1","approved":true}'),
];

const AGENTS_MAY: readonly Deed[] = [
  ...['backends', 'models', 'agents', 'tools', 'help', 'aliases', 'session/idx'].map(read),
  ...['env', 'paused', 'name', 'id', 'agent/idx'].map((file) => read(`session/s/${file}`)),
  ...[ME, CHILD, SIBLING, GRANDCHILD].flatMap((agent) =>
    ['chat', 'chat.raw', 'log', 'plan', 'cfg', 'stats', 'budget', 'ctx/idx', 'name', 'id', 'proc/top'].map((file) =>
      read(`${agent}/${file}`),
    ),
  ),
  write(`${ME}/plan`, '- [ ] one\n'),
  ctl(ME, 'tools'),
  ctl(ME, 'help'),
  ...['tool_load shell', 'tool_unload shell', 'proc', 'proc top', 'usage'].map((line) => ctl(ME, line)),
  write(`${ME}/peer/sibling`),
  write(`${CHILD}/prompt`),
  ...['inject x', 'i x', 'irw x', 'clear', 'queue', 'proc', 'usage'].map((line) => ctl(CHILD, line)),
  ctl(CHILD, 'stop'),
  ctl(CHILD, 'tools'),
  ctl(CHILD, 'kill'),
  ask('session/s/agent/new', 'name=another'),
  ask('session/s/agent/new', 'parent=me prompt=x'),
  ask('generate', 'say hi'),
];

const AGENTS_MAY_NOT: readonly Deed[] = [
  ...OWNERS,
  ...[ME, SIBLING, GRANDCHILD].map((agent) => write(`${agent}/prompt`)),
  ...[CHILD, SIBLING].map((agent) => write(`${agent}/plan`)),
  ...['stop', 'kill', 'clear', 'inject x', 'queue pop', 'systemprompt', 'sessions'].map((line) => ctl(ME, line)),
  ctl(CHILD, 'ask who am I'),
  write(`${SIBLING}/peer/me`),
  write(`${CHILD}/peer/me`),
  ...['eventwait', 'events'].map(read),
  ...['stop', 'kill', 'tools', 'tool_load shell', 'inject x', 'ask x'].flatMap((line) => [ctl(SIBLING, line), ctl(GRANDCHILD, line)]),
];

/** Of a session that is not its own. */
const HIDDEN_FROM_AGENTS: readonly Deed[] = [
  ...['name', 'id', 'env', 'agent/idx'].map((file) => read(`session/t/${file}`)),
  ...['chat', 'log', 'plan', 'id'].map((file) => read(`${STRANGER}/${file}`)),
  write(`${STRANGER}/prompt`),
  ctl(STRANGER, 'stop'),
  ctl('session/t', 'kill'),
  ask('session/t/agent/new', 'name=spy'),
  remove('session/t'),
  rename('session/t'),
];

const GUESTS_MAY: readonly Deed[] = [
  ...['backends', 'models', 'agents', 'tools', 'help', 'aliases', 'session/idx'].map(read),
  ...[ME, STRANGER].flatMap((agent) => ['chat', 'log', 'plan', 'cfg', 'stats', 'proc/top'].map((file) => read(`${agent}/${file}`))),
  write(`${ME}/prompt`),
  ctl(ME, 'stop'),
];

const GUESTS_MAY_NOT: readonly Deed[] = [
  ...OWNERS,
  write(`${ME}/plan`),
  ctl(ME, 'kill'),
  ctl(ME, 'tools'),
  ctl(ME, 'ask x'),
  ctl(ME, 'inject x'),
  write(`${ME}/peer/sibling`),
  ask('session/s/agent/new', 'name=another'),
  ask('generate', 'say hi'),
];

describe('what others than the owner may do', () => {
  let served: ServedOlliesrv;
  let owner: Client;

  beforeEach(async () => {
    served = await ServedOlliesrv.start();
    owner = await served.dial();
    for (const name of ['s', 't']) await owner.writeAll('session/new', `name=${name}\n`);
    for (const agent of ['name=me', 'name=child parent=me', 'name=grandchild parent=child', 'name=sibling'])
      await owner.writeAll('session/s/agent/new', `${agent}\n`);
    await owner.writeAll('session/t/agent/new', 'name=stranger\n');
  });
  afterEach(() => served.close());

  const asMe = async (): Promise<Client> => served.dialAgent((await textOf(owner, `${ME}/id`)).trim());

  describe('an agent', () => {
    it.each(AGENTS_MAY)('may %s', async (_what, run) => {
      await expect(run(await asMe())).resolves.not.toThrow();
    });

    it.each(AGENTS_MAY_NOT)('may not %s', async (_what, run) => {
      await expect(run(await asMe())).rejects.toThrow(DENIED);
    });

    it.each([...HIDDEN, ...HIDDEN_FROM_AGENTS])('finds nothing to %s', async (_what, run) => {
      await expect(run(await asMe())).rejects.toThrow('file does not exist');
    });

    it('sees its own session only', async () => {
      const me = await asMe();
      expect((await me.list('session')).map(({ name }) => name)).toEqual(['new', 'idx', 's']);
      expect(await textOf(me, 'session/idx')).toMatch(/^s\t[^\n]*\n$/);
      expect(await textOf(me, 'aliases')).not.toContain('session/t');
      expect(await textOf(owner, 'session/idx')).toMatch(/^s\t.*\nt\t.*\n$/);
      const id = (await textOf(owner, 'session/t/id')).trim();
      for (const path of [`session/${id}/name`, `s/t/name`, 'session/s/../t/name'])
        await expect(me.readAll(path)).rejects.toThrow('file does not exist');
    });

    it('is who its door says, whatever it says itself', async () => {
      const me = await asMe();
      const id = (await textOf(owner, `${SIBLING}/id`)).trim();
      for (const uname of [id, 'sibling', 'root', '']) {
        const claimed = await me.attach({ uname, aname: '' });
        await expect(claimed.writeAll(`${SIBLING}/plan`, 'x')).rejects.toThrow(DENIED);
        await claimed.writeAll(`${ME}/plan`, 'mine');
      }
    });

    it('is the parent of what it makes, and can make nothing for others', async () => {
      const me = await asMe();
      const made = (await answerOf(me, 'session/s/agent/new', 'name=made\n')).trim();
      await me.writeAll('session/s/agent/made/prompt', 'x\n');
      expect(served.services.sessions.find('s')?.agents.find(made)?.identity).toMatchObject({ depth: 1 });
      for (const parent of ['sibling', 'child', (await textOf(owner, `${SIBLING}/id`)).trim()])
        await expect(answerOf(me, 'session/s/agent/new', `parent=${parent}\n`)).rejects.toThrow(DENIED);
    });

    it('is followed by three levels of children and no more, whoever they say their parent is', async () => {
      let client = await asMe();
      for (const name of ['one', 'two', 'three'])
        client = await served.dialAgent((await answerOf(client, 'session/s/agent/new', `name=${name}\n`)).trim());
      await expect(answerOf(client, 'session/s/agent/new', 'name=four\n')).rejects.toThrow('permission denied: subagent depth limit (3)');
    });

    it('keeps its children where it is itself', async () => {
      const inside = join(served.project, 'sub');
      mkdirSync(inside);
      symlinkSync(served.folder, join(served.project, 'out'));
      const me = await asMe();
      await answerOf(me, 'session/s/agent/new', `name=below cwd=${inside}\n`);
      expect(await textOf(me, 'session/s/agent/below/cfg')).toContain(`\ncwd=${inside}\n`);
      for (const cwd of [served.folder, '/', '~', join(inside, '../..'), join(served.project, 'out'), `${served.project}-other`])
        await expect(answerOf(me, 'session/s/agent/new', `cwd=${cwd}\n`)).rejects.toThrow(
          cwd.endsWith('-other') ? 'no such directory' : 'permission denied: cwd is outside of that of the agent',
        );
    });

    it('has no children where it cannot be itself any more', async () => {
      const gone = join(served.project, 'gone');
      mkdirSync(gone);
      const id = (await answerOf(owner, 'session/s/agent/new', `name=lost cwd=${gone}\n`)).trim();
      rmdirSync(gone);
      await expect(answerOf(await served.dialAgent(id), 'session/s/agent/new', `cwd=${served.project}\n`)).rejects.toThrow(
        `no such directory: ${gone}`,
      );
    });

    it('pays for what it has generated', async () => {
      const usage = { inputTokens: 30, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 12, costUSD: 0.5 };
      served.backend.next({ text: 'hi', usage }, { text: 'hi', usage });
      expect(await answerOf(await asMe(), 'generate', 'say hi')).toBe('hi');
      expect(await textOf(owner, `${ME}/budget`)).toMatch(/^usd= spent=0.5\ntokens= spent=42\n/);
      expect(await textOf(owner, `${ME}/stats`)).toContain('totalRequests=1\n');
      expect(await answerOf(owner, 'generate', 'say hi')).toBe('hi');
      expect(await textOf(owner, `${ME}/stats`)).toContain('totalRequests=1\n');
    });

    it('may do nothing any more once it has gone', async () => {
      const me = await asMe();
      await answerOf(owner, `${ME}/ctl`, 'kill\n');
      await expect(me.readAll('session/s/name')).rejects.toThrow('file does not exist');
      await expect(answerOf(me, 'session/s/agent/new', 'name=late\n')).rejects.toThrow('file does not exist');
    });
  });

  describe('a guest', () => {
    it.each(GUESTS_MAY)('may %s', async (_what, run) => {
      await expect(run(await served.dialGuest())).resolves.not.toThrow();
    });

    it.each(GUESTS_MAY_NOT)('may not %s', async (_what, run) => {
      await expect(run(await served.dialGuest())).rejects.toThrow(DENIED);
    });

    it.each(HIDDEN)('finds nothing to %s', async (_what, run) => {
      await expect(run(await served.dialGuest())).rejects.toThrow('file does not exist');
    });
  });

  it('while the owner may do all of it', async () => {
    const errors: unknown[] = [];
    for (const [, run] of [...AGENTS_MAY, ...GUESTS_MAY]) errors.push(...(await Promise.allSettled([run(owner)])).flatMap(reasonOf));
    expect(errors.map(String).filter((error) => error.includes(DENIED))).toEqual([]);
  });
});

function reasonOf(outcome: PromiseSettledResult<unknown>): readonly unknown[] {
  return outcome.status === 'rejected' ? [outcome.reason] : [];
}
