import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMode, type Client } from '#ninep';
import { payload, text, ToolBench } from './tool-bench.js';
import { eventually } from './toolsrv-process.js';

jest.setTimeout(90_000);

/** Long enough for a call that does not wait to have begun. */
const A_WHILE_MS = 400;

/** A call says in `steps` when it begins, and ends once there is a file `go.NAME`. */
const COMMAND = `
  echo "begin $OLLIE_ARG_NAME" >>steps
  until [ -e "go.$OLLIE_ARG_NAME" ]; do sleep 0.02; done
  echo "end $OLLIE_ARG_NAME" >>steps
`;

describe('calls of several agents of a session', () => {
  const bench = new ToolBench();
  const agents = new Map<string, Client>();
  let session = 0;

  beforeAll(async () => {
    await bench.start();
    for (const parallel of ['read', 'write', 'none'])
      writeFileSync(
        join(bench.tools, `${parallel}s.yaml`),
        `description: a test\nparallel: ${parallel}\nbackground: true\ntimeout: 60\ninput: { type: object, properties: { name: { type: string } } }\ncommand: |${COMMAND}`,
      );
    for (const agent of ['a-1', 'a-2', 'a-3']) {
      const client = await bench.connect(agent);
      for (const tool of ['reads', 'writes', 'nones']) await client.writeAll('ctl', `load ${agent} ${tool}\n`);
      agents.set(agent, client);
    }
  });
  beforeEach(() => {
    session += 1;
    writeFileSync(join(bench.project, 'steps'), '', { flag: 'a' });
  });
  afterAll(() => bench.close());

  const agentNamed = (agent: string): Client => {
    const client = agents.get(agent);
    if (client === undefined) throw new Error(`no agent ${agent}`);
    return client;
  };
  const payloadOf = (agent: string, tool: string, fields: Readonly<Record<string, string>>): string =>
    payload(agentNamed(agent), { agent, tool, session: `s-${session}`, ...fields });

  async function call(agent: string, tool: string, name: string, more: Readonly<Record<string, string>> = {}): Promise<string> {
    return text(await agentNamed(agent).ask('proc/new', payloadOf(agent, tool, { name, ...more })));
  }

  /** Those of this test. */
  const steps = (): readonly string[] =>
    readFileSync(join(bench.project, 'steps'), 'utf8')
      .split('\n')
      .filter((step) => step.endsWith(`.${session}`));
  const begun = (name: string): Promise<void> => eventually(() => steps().includes(`begin ${name}`));
  const go = (...names: readonly string[]): void => names.forEach((name) => writeFileSync(join(bench.project, `go.${name}`), ''));
  const unique = (...names: readonly string[]): readonly string[] => names.map((name) => `${name}.${session}`);

  it('read side by side; one that writes waits for them, and those that come later for it', async () => {
    const [r1 = '', r2 = '', w1 = '', r3 = '', r4 = ''] = unique('r1', 'r2', 'w1', 'r3', 'r4');
    const calls = [call('a-1', 'reads', r1), call('a-2', 'reads', r2)];
    await Promise.all([begun(r1), begun(r2)]);
    calls.push(call('a-3', 'writes', w1));
    await sleep(A_WHILE_MS);
    calls.push(call('a-1', 'reads', r3), call('a-2', 'reads', r4));
    await sleep(A_WHILE_MS);
    expect(steps()).toHaveLength(2);
    go(r1);
    await sleep(A_WHILE_MS);
    expect(steps().slice(2)).toEqual([`end ${r1}`]);
    go(r2);
    await begun(w1);
    await sleep(A_WHILE_MS);
    expect(steps().slice(3)).toEqual([`end ${r2}`, `begin ${w1}`]);
    go(w1);
    await Promise.all([begun(r3), begun(r4)]);
    expect(steps()[5]).toBe(`end ${w1}`);
    go(r3, r4);
    for (const answer of await Promise.all(calls)) expect(answer).toContain('"isError":false');
  });

  it('do not wait for calls of other sessions, of shells, or in the background', async () => {
    const [w1 = '', w2 = '', none = '', background = '', w3 = ''] = unique('w1', 'w2', 'none', 'bg', 'w3');
    const writing = call('a-1', 'writes', w1);
    await begun(w1);
    const others = [call('a-2', 'writes', w2, { session: 'other' }), call('a-3', 'nones', none)];
    await agentNamed('a-3').ask('proc/new.bg', payloadOf('a-3', 'writes', { name: background }));
    await Promise.all([begun(w2), begun(none), begun(background)]);
    go(w1);
    await writing;
    const last = call('a-1', 'writes', w3);
    await begun(w3);
    go(w2, none, background, w3);
    for (const answer of await Promise.all([...others, last])) expect(answer).toContain('"isError":false');
  });

  it.each(['flush', 'clunk'])('that wait are called off at once by a %s, and hold nobody up', async (how) => {
    const [r1 = '', w1 = '', r2 = ''] = unique('r1', 'w1', 'r2');
    const reading = call('a-1', 'reads', r1);
    await begun(r1);
    const file = await agentNamed('a-2').open('proc/new', openMode.readWrite);
    await file.write(0, Buffer.from(payloadOf('a-2', 'writes', { name: w1 })));
    const flush = new AbortController();
    const ended = file.read(0, 1000, flush.signal).then(text, String);
    const later = call('a-3', 'reads', r2);
    await sleep(A_WHILE_MS);
    expect(steps()).toEqual([`begin ${r1}`]);
    const asked = performance.now();
    if (how === 'flush') flush.abort(new Error('interrupted'));
    else await file.clunk();
    expect(await ended).toMatch(/interrupted|closed/);
    await begun(r2);
    expect(performance.now() - asked).toBeLessThan(5000);
    go(r1, r2, w1);
    await Promise.all([reading, later]);
    expect(steps().filter((step) => step.endsWith(w1))).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, string>>, RegExp]>([
    ['is cut off by its time limit', { timeout: '1' }, /execution timeout after 1 seconds/],
    ['is refused', { timeout: '0' }, /invalid arguments/],
    ['has no directory to run in', { cwd: '/nowhere' }, /no such directory/],
  ])('go on when one of them %s', async (_what, fields, answer) => {
    const [w1 = '', w2 = ''] = unique('w1', 'w2');
    const first = call('a-1', 'writes', w1, fields);
    const second = call('a-2', 'writes', w2);
    expect(await first).toMatch(answer);
    go(w2);
    expect(await second).toContain('"isError":false');
  });

  it('go on when the helper is killed below one of them', async () => {
    const [w1 = '', w2 = ''] = unique('w1', 'w2');
    const first = call('a-1', 'writes', w1);
    await begun(w1);
    const second = call('a-2', 'writes', w2);
    await sleep(A_WHILE_MS);
    expect(steps()).toEqual([`begin ${w1}`]);
    for (const pid of helpers()) process.kill(pid, 'SIGKILL');
    expect(await first).toMatch(/execution failed: exit 1(37|25)/);
    go(w2);
    // What begins before the death is noticed dies with it.
    expect(await second).toMatch(/"isError":false|call again/);
    expect(await call('a-3', 'writes', w2)).toContain('"isError":false');
  });

  it('have a directory of the session, which says whose it is', async () => {
    const [name = ''] = unique('r');
    go(name);
    await call('a-1', 'reads', name);
    const directory = join(bench.home, 'tmp', `s-${session}`);
    expect(readdirSync(directory)).toEqual([`toolsrv.${process.pid}`]);
    expect(existsSync(join(bench.home, 'tmp', `s-${session + 1}`))).toBe(false);
  });
});

/** The helpers that this process has started. */
function helpers(): readonly number[] {
  const children = readdirSync('/proc/self/task').flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' '));
  const isHelper = (pid: string): boolean => /\0(serve|cell|run)\0$/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  return children.filter((pid) => pid !== '' && isHelper(pid)).map(Number);
}
