import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '#config';
import { isJsonObject, type JsonObject, parseJson } from '#model';
import { Chat, Ollie, until } from './ollie.js';

jest.setTimeout(90_000);

const AGENT = 'session/s/agent/a';

describe('what is kept', () => {
  let ollie: Ollie;
  beforeEach(async () => {
    ollie = new Ollie();
    await ollie.start();
    await ollie.sh(`
      echo name=s | ollie-9p write session/new
      echo name=a | ollie-9p write session/s/agent/new
    `);
  });
  afterEach(() => ollie.destroy());

  const sessions = () => join(ollie.folder, 'home/.local/share/ollie/sessions');
  const files = () =>
    Object.fromEntries(
      readdirSync(sessions(), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
    );

  async function read(path: string): Promise<string> {
    return (await ollie.sh(`ollie-9p read ${path}`)).stdout;
  }

  async function restart(signal: NodeJS.Signals): Promise<void> {
    await ollie.end(signal);
    await ollie.start();
  }

  async function turn(prompt: string): Promise<void> {
    const client = await ollie.dial();
    const chat = await Chat.open(client, AGENT);
    await client.writeAll(`${AGENT}/prompt`, prompt);
    await chat.rest();
    client.close();
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'is there again after %s: session, agent, conversation, transcript, plan, counts, what was fed',
    async (signal) => {
      await turn('run echo one');
      await ollie.sh(`printf -- '- [ ] plan' | ollie-9p write ${AGENT}/plan; echo fed | ollie-9p write ${AGENT}/feed`);
      const paths = [
        'session/idx',
        'session/s/agent/idx',
        `${AGENT}/chat`,
        `${AGENT}/chat.raw`,
        `${AGENT}/plan`,
        `${AGENT}/stats`,
        `${AGENT}/ctx/idx`,
        `${AGENT}/cfg`,
      ];
      const before = await Promise.all(paths.map(read));
      const kept = files();
      await restart(signal);
      expect(await Promise.all(paths.map(read))).toEqual(before);
      // An orderly end writes a last snapshot; nothing is written by a start.
      expect({ ...files(), ...(signal === 'SIGTERM' && kept) }).toEqual(kept);
      expect(await read(`${AGENT}/feed`)).toBe('fed\n');
      await turn('run echo two');
      const raw = await read(`${AGENT}/chat.raw`);
      const ids = [...raw.matchAll(/^\[\[\[[a-z]+ id=(\d+)/gm)].map(([, id]) => Number(id));
      expect(ids).toEqual(ids.map((_id, index) => index + 1));
      expect(await read(`${AGENT}/chat`)).toContain('[scripted] done:\ntwo\n');
      expect(await read(`${AGENT}/stats`)).toContain('turns=2\n');
      const [snapshot] = Object.entries(files()).filter(([name]) => /^\d+-[0-9a-f]{6}\.json$/.test(name));
      expect(Object.keys(objectIn(snapshot?.[1] ?? '')).slice(0, 4)).toEqual(['id', 'agent', 'messages', 'taskState']);
    },
  );

  it('reports the turn that was cut off, runs what waited once and in order, and leaves the conversation whole', async () => {
    await ollie.sh(`
      echo 'run echo begun >> ran; sleep 64.1' | ollie-9p write ${AGENT}/prompt
      echo 'run echo second >> ran' | ollie-9p write ${AGENT}/prompt
      echo 'run echo third >> ran' | ollie-9p write ${AGENT}/prompt
    `);
    await until('the tool runs', () => ranIn(ollie).length === 1);
    const cut = await read(`${AGENT}/log`);
    await restart('SIGKILL');
    await until('the queue is empty', async () => (await read('session/idx')).includes('\tidle\t') && ranIn(ollie).length >= 3);
    expect(ranIn(ollie)).toEqual(['begun', 'second', 'third']);
    const chat = await read(`${AGENT}/chat`);
    expect(chat.startsWith(cut)).toBe(true);
    expect(chat).toContain(
      '<- shell 1 lines error\nerror: interrupted: the server was restarted during this turn; its prompt was not run again\n',
    );
    expect(chat.match(/^user: run/gm)).toHaveLength(3);
    await restart('SIGKILL');
    expect(await read(`${AGENT}/chat`)).toBe(chat);
    expect(ranIn(ollie)).toHaveLength(3);
  });

  it('follows names, pauses and settings, and forgets what was killed', async () => {
    await ollie.sh(`
      echo p2 | ollie-9p write session/s/name
      echo coding | ollie-9p write session/p2/agent/a/name
      printf 'temperature=0.5\\nmaxSteps=7\\n' | ollie-9p write session/p2/agent/coding/cfg
      printf 'tool_unload shell\\ntool_load file_read\\n' | ollie-9p write session/p2/agent/coding/ctl
      printf 'usd=2\\nwall=30m\\n' | ollie-9p write session/p2/agent/coding/budget
      echo name=b | ollie-9p write session/p2/agent/new
      echo kill | ollie-9p write session/p2/agent/b/ctl
      echo pause | ollie-9p write session/p2/ctl
      echo waits | ollie-9p write session/p2/agent/coding/prompt
      echo name=gone | ollie-9p write session/new
      echo kill | ollie-9p write session/gone/ctl
    `);
    await restart('SIGKILL');
    expect(await read('session/idx')).toMatch(/^p2\t\S+\tpaused\t1\t-\n$/);
    expect(await read('session/p2/agent/idx')).toMatch(/^coding\t\S+\tpaused\t/);
    expect(await read('session/p2/agent/coding/cfg')).toMatch(/maxSteps=7\n[^]*temperature=0.5\n/);
    expect(await read('session/p2/agent/coding/budget')).toMatch(/^usd=2 .*\n(.*\n)*wall=30m /);
    const tools = await ollie.sh('echo tools | ollie-9p rdwr session/p2/agent/coding/ctl');
    expect(tools.stdout.match(/^\w+/gm)).toEqual(['client_9p', 'file_read']);
    await ollie.sh('echo resume | ollie-9p write session/p2/ctl');
    await until('the prompt has run', async () => (await read('session/p2/agent/coding/stats')).includes('turns=1\n'));
  });

  it('is in snapshots once `save` has answered, which says where', async () => {
    await turn('run echo one');
    await ollie.sh(`printf 'a plan' | ollie-9p write ${AGENT}/plan`);
    const { stdout } = await ollie.sh('echo save | ollie-9p rdwr session/s/ctl');
    const id = (await read('session/s/id')).trim();
    expect(stdout).toBe(`saved ${sessions()}/${id}.session.json\n`);
    const agent = (await read(`${AGENT}/id`)).trim();
    expect(objectIn(files()[`${id}.session.json`] ?? '')).toMatchObject({ id, name: 's', agents: [{ id: agent, name: 'a' }] });
    const snapshot = objectIn(files()[`${agent}.json`] ?? '');
    expect(Object.keys(snapshot).slice(0, 4)).toEqual(['id', 'agent', 'messages', 'taskState']);
    expect(snapshot).toMatchObject({ id: agent, agent: 'default', plan: 'a plan', messages: { length: 4 } });
  });

  it('belongs to one server', async () => {
    const second = await ollie.olliesrv('serve', '--listen', `unix!${ollie.folder}/other`);
    expect(second).toMatchObject({ code: 1 });
    expect(second.stderr).toContain(`belongs to olliesrv (pid ${String(ollie.pid)}, listening on ${ollie.address})`);
  });
});

function ranIn(ollie: Ollie): readonly string[] {
  try {
    return readFileSync(join(ollie.project, 'ran'), 'utf8').trim().split('\n');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function objectIn(text: string): JsonObject {
  const value = parseJson(text);
  return isJsonObject(value) ? value : fail(text);
}
