import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeWith } from '../support/programs.js';
import { type Monitor, NAME, PATH, SessionBus } from '../support/session-bus.js';
import { Ollie, until } from './ollie.js';

const PROGRAMS = ['dbus-daemon', 'dbus-run-session', 'gdbus', 'dbus-send', 'setpriv'];
const ID = /^\d{19}-[0-9a-f]{6}$/;

/** The parts of a signal's arguments, which have no commas inside of them. */
function fields(shown: string): readonly string[] {
  return shown.split(', ').map((field) => field.replace(/^(uint64 |objectpath )?['"]?|['"]$/g, ''));
}

/** What a page shows for a shell. */
function shellBlocks(page: string): string {
  return [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block).join('');
}

describeWith(...PROGRAMS)('the session manager on the session bus', () => {
  const bus = new SessionBus();
  let ollie: Ollie;
  let monitor: Monitor;

  beforeAll(async () => {
    await bus.start();
    ollie = new Ollie({ DBUS_SESSION_BUS_ADDRESS: bus.address });
    await ollie.start();
    await bus.named();
    monitor = await bus.monitor();
  });
  afterAll(async () => {
    await ollie.destroy();
    await bus.destroy();
  });

  async function create(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await bus.call('CreateSession', ...args);
    const [, id] = /^\('(.*)',\)\n$/.exec(stdout) ?? [];
    if (id === undefined) throw new Error(stderr);
    return id;
  }

  async function refusal(member: string, ...args: readonly string[]): Promise<string> {
    return (await bus.call(member, ...args)).stderr.trim();
  }

  it('makes a session of five texts, and tells of it', async () => {
    const id = await create(ollie.project, 'scripted', '', 'default', '');
    expect(id).toMatch(ID);
    await until('the signal', () => monitor.signals('SessionCreated').some((shown) => fields(shown)[0] === id));
    const [shown = ''] = monitor.signals('SessionCreated').filter((signal) => signal.includes(id));
    expect(fields(shown)[1]).toBe(`/org/ollie/session/_3${id[0] ?? ''}${id.slice(1).replace('-', '_2d')}`);
  });

  it('makes one of four, which other doors see with its agent main', async () => {
    const id = await create(ollie.project, '', '', 'default');
    const { stdout } = await ollie.sh(`ollie-9p read session/idx; ollie-9p read session/${id}/agent/idx`);
    expect(stdout).toContain(id);
    expect(stdout).toMatch(/^main\t.*\tidle\tdefault\tscripted\t/m);
  });

  it('takes the calls of dbus-send, with and without a remote', async () => {
    expect((await bus.send('CreateSession', ['', '', '', 'default'])).stdout).toMatch(/^ {3}string "\d{19}-/m);
    expect((await bus.send('CreateSession', ['', '', '', 'default', ''])).stdout).toMatch(/^ {3}string "\d{19}-/m);
    expect((await bus.send('CreateSession', ['', '', '', 'default', 'devbox'])).stderr).toContain('illegal key: remote');
  });

  it('runs a prompt, and tells of states and of the chat without gaps', async () => {
    const id = await create('', '', '', '');
    const begun = performance.now();
    expect((await bus.call('Submit', id, 'hello')).stdout).toMatch(/^\('\d{19}-[0-9a-f]{6}',\)\n$/);
    expect(performance.now() - begun).toBeLessThan(2_000);
    const states = (): readonly (readonly string[])[] =>
      monitor
        .signals('StateChanged')
        .map(fields)
        .filter(([session]) => session === id);
    await until('the turn is over', () => states().at(-1)?.[2] === 'idle');
    expect(states().map(([, , state, previous]) => [previous, state])).toEqual(
      expect.arrayContaining([
        ['idle', 'running'],
        ['running', 'idle'],
      ]),
    );
    const { stdout: chat } = await ollie.sh(`ollie-9p read session/${id}/agent/main/log`);
    expect(chat).toContain('user: hello\n');
    expect(monitor.chat(id)).toBe(chat);
  });

  it('tells of an agent that is killed in the middle of a turn', async () => {
    const id = await create('', '', '', '');
    await bus.call('Submit', id, 'run sleep 30');
    const changes = (): readonly string[] =>
      monitor
        .signals('StateChanged')
        .map(fields)
        .flatMap(([session, , state, previous]) => (session === id ? `${String(previous)} ${String(state)}` : []));
    await until('it runs', () => changes().includes('idle running'));
    await ollie.sh(`echo kill | ollie-9p write session/${id}/ctl`);
    await until('it is told', () => changes().at(-1)?.endsWith('killed') === true);
    expect(changes().at(-1)).toBe('running killed');
    expect(await refusal('Submit', id, 'x')).toContain('no such session');
  });

  it('sets a value of the configuration', async () => {
    const id = await create('', '', '', '');
    expect(await bus.call('SetConfig', id, 'maxSteps', '7')).toMatchObject({ code: 0, stdout: '()\n' });
    expect((await ollie.sh(`ollie-9p read session/${id}/agent/main/cfg`)).stdout).toMatch(/^maxSteps=7$/m);
    expect(await refusal('SetConfig', id, 'nonsense', '7')).toContain('InvalidArgs: illegal key: nonsense');
    expect(await refusal('SetConfig', id, 'maxSteps', 'many')).toContain('InvalidArgs: illegal value: maxSteps=many');
    expect(await refusal('SetConfig', id, 'maxSteps', '7\nmodel=x')).toContain('InvalidArgs: illegal value: maxSteps=7');
    expect(await refusal('SetConfig', id, 'maxSteps=1\nmodel', 'x')).toContain('InvalidArgs: illegal key: maxSteps=1');
    expect(await refusal('SetConfig', id, 'state', 'idle')).toContain('read-only: state');
  });

  it.each([
    ['a space', 'my proj'],
    ['two dots', '..'],
    ['a slash', '/'],
    ['nothing', ''],
    ['5,000 characters', 'x'.repeat(5_000)],
    ['quotes', "it's; $(id)"],
    ['odd characters', 'ü\u0001\u{1f600}'],
  ])('refuses %s where it names nothing, and stays', async (_what, hostile) => {
    const [submit, config, profile, backend, folder] = await Promise.all([
      refusal('Submit', hostile, 'x'),
      refusal('SetConfig', hostile, 'model', 'x'),
      hostile === '' ? 'NotFound' : refusal('CreateSession', '', '', '', hostile, ''),
      hostile === '' ? 'NotFound' : refusal('CreateSession', '', hostile, '', '', ''),
      hostile === '' || hostile === '/' ? 'InvalidArgs' : refusal('CreateSession', hostile, '', '', '', ''),
    ]);
    expect(submit).toContain('org.ollie.Error.NotFound: no such session:');
    expect(config).toContain('org.ollie.Error.NotFound: no such session:');
    expect(profile).toContain('NotFound');
    expect(backend).toContain('NotFound');
    expect(folder).toContain('InvalidArgs');
    expect(submit.length).toBeLessThan(1_500);
    expect(await bus.hasOwner()).toBe(true);
  });

  it('leaves nothing behind of a session that cannot be, and tells nobody of it', async () => {
    const before = (await ollie.sh('ollie-9p read session/idx')).stdout;
    const told = monitor.signals('SessionCreated').length;
    await bus.call('CreateSession', '', '', '', 'nobody', '');
    await bus.call('CreateSession', '', 'nobody', '', '', '');
    await bus.call('CreateSession', '/nonexistent', '', '', '', '');
    expect((await ollie.sh('ollie-9p read session/idx')).stdout).toBe(before);
    const id = await create('', '', '', '');
    await until('what can be is told', () => monitor.signals('SessionCreated').at(-1)?.includes(id) === true);
    expect(monitor.signals('SessionCreated')).toHaveLength(told + 1);
  });

  it('says what is wrong with a call', async () => {
    const error = async (...call: Parameters<SessionBus['send']>): Promise<string> => (await bus.send(...call)).stderr;
    expect(await error('Submit', ['x'])).toContain('InvalidArgs: Submit takes (ss), not (s)');
    expect(await error('CreateSession', ['', '', ''])).toContain('InvalidArgs: CreateSession takes (sssss) or (ssss), not (sss)');
    expect(await error('Nothing', [])).toContain('UnknownMethod: no such method: Nothing');
    expect(await error('toString', [])).toContain('UnknownMethod: no such method: toString');
    expect(await error('Submit', ['x', 'y'], { to: 'a.b' })).toContain('UnknownInterface: no such interface: a.b');
    expect(await error('Submit', ['x', 'y'], { path: '/org/other' })).toContain('UnknownObject: no such object: /org/other');
    expect(await error('Submit', ['x', ''])).toContain('InvalidArgs: illegal argument: empty prompt');
  });

  it('describes itself from the root down', async () => {
    const { stdout } = await bus.run('gdbus', 'introspect', '--session', '--recurse', '--dest', NAME, '--object-path', '/');
    expect(stdout).toContain(`node ${PATH} {`);
    expect(stdout).toContain('CreateSession(in  s cwd,');
    expect(stdout).toMatch(/ChatUpdated\(s id,\s+s agent,\s+t offset,\s+s chunk\)/);
  });

  it('refuses callers that are inside a sandbox', async () => {
    const call = ['gdbus', 'call', '--session', '--dest', NAME, '--object-path', PATH, '--method'];
    const inside = (...args: readonly string[]) => bus.run('setpriv', '--no-new-privs', ...call, ...args);
    const refused = expect.stringContaining('AccessDenied: permission denied: sandboxed caller');
    expect((await inside(`${NAME}.Submit`, 'x', 'y')).stderr).toEqual(refused);
    expect((await inside(`${NAME}.SetConfig`, 'x', 'y', 'z')).stderr).toEqual(refused);
    expect((await inside(`${NAME}.CreateSession`, '', '', '', '', '')).stderr).toEqual(refused);
    expect((await inside('org.freedesktop.DBus.Peer.Ping')).code).toBe(0);
  });

  it('does not keep what a reader that has stopped does not take', async () => {
    const rss = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${String(ollie.pid)}/status`, 'utf8'))?.[1]) / 1024;
    const stopped = await bus.monitor();
    stopped.process.kill('SIGSTOP');
    const before = rss();
    const ids = await Promise.all(Array.from({ length: 6 }, () => create('', '', '', '')));
    await Promise.all(ids.map((id) => bus.call('Submit', id, 'long '.repeat(20_000))));
    for (const id of ids) await until('all of it is told', () => monitor.chat(id).length > 100_000);
    expect(rss() - before).toBeLessThan(200);
    expect(await refusal('Submit', 'nobody', 'x')).toContain('no such session');
  });
});

describeWith(...PROGRAMS)('the door to the session bus', () => {
  let bus: SessionBus;
  let ollies: Ollie[];

  beforeEach(() => {
    bus = new SessionBus();
    ollies = [];
  });
  afterEach(async () => {
    for (const ollie of ollies) await ollie.destroy();
    await bus.destroy();
  });

  async function start(address?: string): Promise<Ollie> {
    const ollie = new Ollie(address === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS: address });
    ollies.push(ollie);
    await ollie.start({ args: ['--log', 'debug'] });
    return ollie;
  }

  function said(ollie: Ollie): readonly string[] {
    return ollie.stderr.split('\n').flatMap((line) => /(?<= )(debug|info|warn|error) olliesrv: D-Bus: .*/.exec(line)?.[0] ?? []);
  }

  it.each([
    ['no address', undefined],
    ['an empty address', ''],
    ['a socket that is not there', 'unix:path=/nonexistent/bus'],
  ])('stays shut with %s, and says so once, for debugging', async (_what, address) => {
    const ollie = await start(address);
    expect(await ollie.sh('ollie-9p read backends')).toMatchObject({ code: 0 });
    await sleep(600); // it has looked twice by then
    expect(said(ollie)).toEqual(['debug olliesrv: D-Bus: there is no session bus']);
    expect(await ollie.end()).toBe(0);
  });

  it('stays shut with a socket that nobody listens on', async () => {
    await bus.start();
    await bus.stop('SIGKILL');
    const ollie = await start(bus.address);
    await until('it has tried', () => said(ollie).length > 0);
    expect(said(ollie)).toEqual([expect.stringMatching(/^debug .* the session bus cannot be reached: connect ECONNREFUSED/)]);
    expect(await ollie.end()).toBe(0);
  });

  it('opens again when a lost bus is back, and what happened there is told', async () => {
    await bus.start();
    const ollie = await start(bus.address);
    await bus.named();
    await bus.stop('SIGKILL');
    await until('the loss is noticed', () => said(ollie).some((line) => line.includes('is gone')), 10_000);
    await bus.start();
    await bus.named();
    const monitor = await bus.monitor();
    const { stdout } = await bus.call('CreateSession', '', '', '', '', '');
    await until('the signal', () => monitor.signals('SessionCreated').length > 0);
    expect(stdout).toContain(fields(monitor.signals('SessionCreated')[0] ?? '')[0]);
    expect(said(ollie).filter((line) => !line.startsWith('debug'))).toEqual([
      `info olliesrv: D-Bus: serving ${NAME}`,
      'warn olliesrv: D-Bus: the session bus is gone',
      `info olliesrv: D-Bus: serving ${NAME}`,
    ]);
  });

  it('warns of a name that is taken, and takes it when it is free', async () => {
    await bus.start();
    const first = await start(bus.address);
    await bus.named();
    const second = await start(bus.address);
    await until('the warning', () => said(second).length > 0);
    expect(said(second)).toEqual([`warn olliesrv: D-Bus: ${NAME} belongs to process ${String(first.pid)}`]);
    expect(await second.sh('ollie-9p read backends')).toMatchObject({ code: 0 });
    await first.end();
    await bus.named();
    await until('it serves', () => said(second).includes(`info olliesrv: D-Bus: serving ${NAME}`));
  });

  it('gives the name back at the end, also to a bus that does not answer', async () => {
    await bus.start();
    const ollie = await start(bus.address);
    await bus.named();
    expect(await ollie.end()).toBe(0);
    expect(await bus.hasOwner()).toBe(false);
    const other = await start(bus.address);
    await bus.named();
    bus.signal('SIGSTOP');
    const begun = performance.now();
    expect(await other.end()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(6_000);
    bus.signal('SIGCONT');
  });

  it('does all that its page shows, under dbus-run-session', async () => {
    const ollie = new Ollie();
    ollies.push(ollie);
    const page = readFileSync(resolve(__dirname, '../../docs/dbus.md'), 'utf8');
    writeFileSync(join(ollie.folder, 'page.sh'), `set -e\ntrap 'olliesrv stop' EXIT\n${shellBlocks(page)}`);
    const { stdout, code } = await ollie.sh(`dbus-run-session -- sh ${ollie.folder}/page.sh`);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\('\d{19}-[0-9a-f]{6}',\)$/m);
    expect(stdout).toMatch(/^main\t.*\tdefault\t/m);
    expect(stdout).toMatch(/^maxSteps=7$/m);
  });
});
