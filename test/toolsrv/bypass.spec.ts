import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openMode } from '#ninep';
import { answer, audit, bypass, BypassWorld, next, outcome, reading, said } from './bypass-world.js';
import { payload, text } from './tool-bench.js';
import { eventually, processesWith } from './toolsrv-process.js';

jest.setTimeout(60_000);

let world: BypassWorld;
beforeEach(() => {
  world = new BypassWorld();
});
afterEach(() => world.destroy());

let counter = 0;
const mark = (): string => `84${process.pid}.${(counter += 1)}`;
describe('a call that asks to leave the sandbox', () => {
  test('runs outside when an observer approves, and says so', async () => {
    const server = await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const file = join(world.home, 'made');
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: `echo ok > '${file}' && echo done`, label: 'nothing' });
    expect(await read).toMatchObject({
      id: 'b-1',
      agent: 'a-1',
      tool: 'shell',
      command: `echo ok > '${file}' && echo done`,
      cwd: world.project,
      env: { HOME: world.home, OLLIE_AGENT_ID: 'a-1' },
    });
    expect(existsSync(file)).toBe(false);
    await answer(observer, { id: 'b-1', approved: true });
    expect(await result).toEqual({ content: [{ type: 'text', text: 'done\n' }], isError: false, exitCode: 0, sandbox: 'none' });
    expect(readFileSync(file, 'utf8')).toBe('ok\n');
    expect(text(await agent.readAll('proc/1/stat'))).toContain('sandbox=none\n');
    expect(audit(server)).toMatchObject([{ id: 'b-1', decision: 'approved', by: expect.stringMatching(/^observer \(connection \d+\)$/) }]);
    expect(await bypass(agent, { cmd: `echo no > '${file}'`, bypass: 'false' })).toMatchObject({ isError: true, sandbox: 'full' });
  });

  test('is refused with the observer’s words, and does not run', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: `touch '${world.home}/made'` });
    await read;
    await answer(observer, { id: 'b-1', error: 'not on my machine' });
    expect(await result).toMatchObject({ content: [{ text: 'bypass rejected: not on my machine' }], isError: true });
    expect([existsSync(join(world.home, 'made')), text(await agent.readAll('proc/list'))]).toEqual([false, '']);
  });

  test('is refused at once when there is no observer, or the tool never leaves', async () => {
    writeFileSync(join(world.tools, 'inside.yaml'), 'description: x\ncommand: [id]\n');
    await world.serve('--no-auth');
    const agent = await world.agent();
    const begin = performance.now();
    expect(said(await bypass(agent, { cmd: 'id' }))).toBe('bypass unavailable: no observer');
    expect(performance.now() - begin).toBeLessThan(4000);
    await agent.writeAll('ctl', 'load a-1 inside\n');
    expect(said(await bypass(agent, { tool: 'inside' }))).toBe('invalid arguments: /bypass inside never leaves the sandbox');
  });

  test('is supervised like any other: its time limit, and its whole tree at a clunk', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const [short, long] = [mark(), mark()];
    const first = (await reading(observer)).read;
    const late = bypass(agent, { cmd: `setsid sleep ${short} & sleep ${short}`, timeout: '1' });
    await first;
    await answer(observer, { id: 'b-1', approved: true });
    expect(said(await late)).toBe('execution timeout after 1 seconds');
    const file = await agent.open('proc/new', openMode.readWrite);
    await file.write(0, Buffer.from(payload(agent, { tool: 'shell', bypass: 'true', cmd: `setsid sleep ${long} & sleep ${long}` })));
    const ended = outcome(file.read(0, 1000));
    await next(observer);
    await answer(observer, { id: 'b-2', approved: true });
    await eventually(() => processesWith(`sleep\0${long}`) === 2);
    await file.clunk();
    expect(await ended).toContain('interrupted');
    await eventually(() => processesWith(`sleep\0${long}`) + processesWith(`sleep\0${short}`) === 0);
  });

  test('in the background has its number once it is approved', async () => {
    await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const pid = agent.ask('proc/new.bg', payload(agent, { tool: 'shell', bypass: 'true', cmd: 'exit 7' }));
    await read;
    await answer(observer, { id: 'b-1', approved: true });
    expect(text(await pid)).toBe('1\n');
    expect(text(await agent.readAll('proc/1/wait'))).toBe('7\n');
  });

  test('shows neither secrets nor characters that a terminal acts on; what it runs is exact', async () => {
    writeFileSync(
      join(world.tools, 'deploy.yaml'),
      'description: x\nbypass: always\nenv: [DEPLOY_TOKEN]\ncommand: echo "$DEPLOY_TOKEN" | wc -c\n',
    );
    process.env['DEPLOY_TOKEN'] = 'planted-secret';
    const server = await world.serve('--no-auth');
    delete process.env['DEPLOY_TOKEN'];
    const [agent, observer] = [await world.agent(), await world.observer()];
    await agent.writeAll('ctl', 'load a-1 deploy\n');
    const { read } = await reading(observer);
    const deployed = bypass(agent, { tool: 'deploy', bypass: 'false' });
    expect(await read).toMatchObject({ command: 'deploy {}', env: { DEPLOY_TOKEN: '***' } });
    await answer(observer, { id: 'b-1', approved: true });
    expect(said(await deployed)).toBe('15\n');
    const cmd = 'printf "%s" "\u202e\u001b[2J\u200b"\necho';
    const odd = bypass(agent, { cmd });
    const raw = text(await observer.readAll('bypass/pending'));
    expect(raw).toMatch(/^[\u0020-\u007e]*\n$/);
    expect(JSON.parse(raw)).toMatchObject({ command: 'printf "%s" "\\u202e\\x1b[2J\u200b"\\necho', args: { cmd } });
    await answer(observer, { id: 'b-2', approved: true });
    expect(said(await odd)).toBe('\u202e\u001b[2J\u200b\n');
    await eventually(() => audit(server).length === 2);
    expect(server.stderr).not.toContain('planted-secret');
    expect(server.stderr).not.toContain('\u202e');
  });

  test.each([100_000, 2_000_000])('with %d characters cannot be shown whole, and nobody is asked', async (length) => {
    const server = await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { leave } = await reading(observer);
    const result = await bypass(agent, { cmd: `true ${'x'.repeat(length)}` });
    expect(said(result)).toMatch(/^bypass rejected: it is too long to be shown whole \(\d+ of 65536 bytes\)$/);
    expect(audit(server)).toMatchObject([{ id: 'b-1', decision: 'rejected', by: 'toolsrv', characters: length + 5 }]);
    await leave();
  });
});

describe('a request without an answer', () => {
  test('times out, and nothing can approve it afterwards', async () => {
    const server = await world.serve('--no-auth', '--bypass-timeout', '1s');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    const result = bypass(agent, { cmd: `touch '${world.home}/made'` });
    await read;
    expect(said(await result)).toBe('bypass timed out after 1s');
    expect(await outcome(answer(observer, { id: 'b-1', approved: true }))).toBe('no such request: b-1');
    expect(existsSync(join(world.home, 'made'))).toBe(false);
    expect(audit(server)).toMatchObject([{ id: 'b-1', decision: 'timed out' }]);
  });

  test.each(['clunk', 'flush', 'hang-up'])('is withdrawn when its call ends by a %s', async (how) => {
    const server = await world.serve('--no-auth');
    const [agent, observer, late] = [await world.agent(), await world.observer(), await world.observer()];
    const { read } = await reading(observer);
    const file = await agent.open('proc/new', openMode.readWrite);
    await file.write(0, Buffer.from(payload(agent, { tool: 'shell', bypass: 'true', cmd: `touch '${world.home}/made'` })));
    const flush = new AbortController();
    const ended = outcome(file.read(0, 1000, flush.signal));
    await read;
    if (how === 'clunk') await file.clunk();
    else if (how === 'flush') flush.abort(new Error('interrupted'));
    else agent.close();
    expect(await ended).toMatch(/interrupted|closed/);
    await eventually(() => audit(server).length === 1);
    expect(audit(server)).toMatchObject([{ id: 'b-1', decision: 'withdrawn' }]);
    expect(await outcome(answer(observer, { id: 'b-1', approved: true }))).toBe('no such request: b-1');
    const other = await world.agent();
    const second = bypass(other, { cmd: 'echo second' });
    expect(await next(late)).toMatchObject({ id: 'b-2' });
    await answer(late, { id: 'b-2', approved: true });
    expect([said(await second), existsSync(join(world.home, 'made'))]).toEqual(['second\n', false]);
  });

  test('does not keep the server from ending', async () => {
    const server = await world.serve('--no-auth');
    const [agent, observer] = [await world.agent(), await world.observer()];
    const { read } = await reading(observer);
    void outcome(bypass(agent, { cmd: 'id' }));
    await read;
    void outcome(next(observer));
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(audit(server)).toMatchObject([{ decision: 'withdrawn' }]);
  });
});
