import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { errnoOf, packageRoot, silentLog } from '#config';
import { noNumbers, resultText, type ToolHost, type ToolRequest, type ToolServer } from '#model';
import { SpawnedToolHost } from './spawned-tool-host.js';
import { ToolHosts } from './tool-hosts.js';
import type { ToolsrvLaunch } from './toolsrv-launch.js';

const NEVER = new AbortController().signal;
const AGENT = '1764498301123456789-0f9e8d';

jest.setTimeout(60_000);

/** The real toolsrv, as it was built. */
describe('the local hands of a session', () => {
  let folder: string;
  let project: string;
  let hosts: SpawnedToolHost[];

  beforeEach(() => {
    folder = realpathSync(mkdtempSync('/tmp/ollie-host-'));
    project = join(folder, 'project');
    mkdirSync(project);
    hosts = [];
  });
  afterEach(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    rmSync(folder, { recursive: true });
    if (processesOf(folder).length > 0) throw new Error('a process outlived its host');
  });

  function launch(change: Partial<ToolsrvLaunch> = {}): ToolsrvLaunch {
    const environment = {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: join(folder, 'home'),
      OLLIE_OPENAI_KEY: 'planted',
      XDG_RUNTIME_DIR: folder,
    };
    const command: ToolsrvLaunch['command'] = [process.execPath, join(packageRoot(), 'dist/bin/toolsrv.mjs')];
    return { command, runtime: folder, environment, idleMs: 60_000, log: silentLog, ...change };
  }

  function hostOf(change: Partial<ToolsrvLaunch> = {}, numbers = noNumbers): SpawnedToolHost {
    const host = new SpawnedToolHost({ id: 's-1', cwd: project, numbers }, launch(change));
    hosts.push(host);
    return host;
  }

  function shell(tools: ToolServer, cmd: string, signal = NEVER) {
    const request: ToolRequest = { id: 'call_1', tool: 'shell', arguments: { cmd }, cwd: project, env: {} };
    return tools.call(request, signal);
  }

  function toolsrvs(): readonly number[] {
    return processesOf('toolsrv.mjs').filter((each) => processesOf(folder).includes(each));
  }

  function killToolsrv(): void {
    for (const pid of toolsrvs()) process.kill(pid, 'SIGKILL');
  }

  it('start at the first need, and are one process for all agents', async () => {
    const host = hostOf();
    expect(host.isRunning).toBe(false);
    const agents = await Promise.all(['a', 'b', 'c'].map((id) => host.connect(id, NEVER)));
    expect(host.isRunning).toBe(true);
    expect(processesOf(folder)).toHaveLength(1);
    await agents[0]?.load('shell', NEVER);
    expect((await agents[0]?.loaded(NEVER))?.map(({ name }) => name)).toEqual(['shell']);
    expect(await agents[1]?.loaded(NEVER)).toEqual([]);
  });

  it('start at once when somebody is about to need them, and end as idle when nobody comes', async () => {
    const host = hostOf({ idleMs: 300 });
    host.prepare();
    expect(processesOf(folder)).toHaveLength(1);
    host.prepare();
    await host.connect(AGENT, NEVER);
    expect(processesOf(folder)).toHaveLength(1);
    while (host.isRunning || processesOf(folder).length > 0) await sleep(20);
  });

  it('that could not be prepared say so to who connects', async () => {
    const host = hostOf({ command: ['/nonexistent'] });
    host.prepare();
    await expect(host.connect(AGENT, NEVER)).rejects.toThrow('toolsrv');
  });

  it('run tools in the directory of the session', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const result = await shell(tools, 'pwd; echo to-stderr >&2; exit 3');
    expect(result).toMatchObject({ isError: true, exitCode: 3 });
    expect(resultText(result)).toContain(`${project}\nto-stderr\n`);
  });

  it('end the whole tree of a call that is aborted', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const stop = new AbortController();
    const call = shell(tools, `touch running; setsid sleep 64.4021 & sleep 64.4021`, stop.signal);
    while (!readdirSync(project).includes('running')) await sleep(20);
    stop.abort();
    expect(resultText(await call)).toBe('cancelled');
    for (let left = 500; processesOf('sleep 64.4021').length > 0 && left > 0; left--) await sleep(20);
    expect(processesOf('sleep 64.4021')).toEqual([]);
  });

  it('stop when idle, start again at the next need, and then have the tools of before', async () => {
    const host = hostOf({ idleMs: 300 });
    const tools = await host.connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const [before] = processesOf(folder);
    while (host.isRunning || processesOf(folder).length > 0) await sleep(20);
    expect(await tools.processes(NEVER)).toEqual([]);
    expect(host.isRunning).toBe(false);
    expect(resultText(await shell(tools, 'echo again'))).toBe('again\n');
    expect(processesOf(folder)[0]).not.toBe(before);
  });

  it('number processes on from one tool server to the next, also when one was killed', async () => {
    const host = hostOf({ idleMs: 300 });
    const tools = await host.connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const start = async (): Promise<number> => {
      const started = await tools.start({ id: 'call_2', tool: 'shell', arguments: { cmd: 'true' }, cwd: project, env: {} }, NEVER);
      if (!('pid' in started)) throw new Error(resultText(started));
      await started.whenEnded(NEVER);
      return started.pid;
    };
    expect(await start()).toBe(1);
    await shell(tools, 'true');
    while (host.isRunning || processesOf(folder).length > 0) await sleep(20);
    expect(await start()).toBe(3);
    killToolsrv();
    while (host.isRunning) await sleep(20);
    expect(await start()).toBe(4);
  });

  it('do not count as idle during a call', async () => {
    const host = hostOf({ idleMs: 100 });
    const tools = await host.connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    expect(resultText(await shell(tools, 'sleep 1; echo survived'))).toBe('survived\n');
  });

  it('let the output of each running call be followed, until it ends', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const seen = await Promise.all(
      ['one', 'two'].map(async (id) => {
        const ended = new AbortController();
        const pieces: string[] = [];
        const following = (async () => {
          for await (const { bytes } of tools.follow(id, ended.signal)) pieces.push(Buffer.from(bytes).toString());
        })();
        const cmd = `echo ${id}; while [ $(ls | wc -l) -lt 2 ]; do sleep 0.05; done`;
        const call = tools.call({ id, tool: 'shell', arguments: { cmd }, cwd: project, env: {} }, NEVER);
        while (pieces.length === 0) await sleep(20);
        writeFileSync(join(project, id), '');
        expect(resultText(await call)).toBe(`${id}\n`);
        ended.abort();
        await Promise.allSettled([following]);
        return pieces;
      }),
    );
    expect(seen).toEqual([['one\n'], ['two\n']]);
  });

  it('lose what is under way when the process dies, and are there again for the next call', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const call = shell(tools, 'touch running; sleep 64.4022');
    const lost = complaint(call);
    while (!readdirSync(project).includes('running')) await sleep(20);
    killToolsrv();
    expect(await lost).toMatchObject({ message: 'i/o error: toolsrv: connection lost' });
    expect(resultText(await shell(tools, 'echo back'))).toBe('back\n');
  });

  it('are asked anew when the process died since they were used last', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    killToolsrv();
    expect((await tools.loaded(NEVER)).map(({ name }) => name)).toEqual(['shell']);
    killToolsrv();
    expect(await tools.revision(NEVER)).toBe(1);
    killToolsrv();
    await tools.load('file_read', NEVER);
    expect(resultText(await shell(tools, 'echo here'))).toBe('here\n');
  });

  it('are killed when they do not end a cancelled call', async () => {
    const tools = await hostOf().connect(AGENT, NEVER);
    await tools.load('shell', NEVER);
    const stop = new AbortController();
    const call = Promise.allSettled([shell(tools, `touch running; setsid sleep 64.4024 & sleep 64.4024`, stop.signal)]);
    while (!readdirSync(project).includes('running')) await sleep(20);
    for (const pid of toolsrvs()) process.kill(pid, 'SIGSTOP');
    stop.abort();
    await call;
    for (let left = 500; processesOf('sleep 64.4024').length > 0 && left > 0; left--) await sleep(20);
    expect(processesOf('sleep 64.4024')).toEqual([]);
    expect(resultText(await shell(tools, 'echo back'))).toBe('back\n');
  });

  it('go on without a tool that is no longer there after a new start', async () => {
    const own = join(folder, 'tools.d');
    mkdirSync(own);
    writeFileSync(join(own, 'mine.yaml'), 'description: mine\ninput: { type: object }\n');
    writeFileSync(join(own, 'mine'), '#!/bin/sh\n', { mode: 0o755 });
    const { environment } = launch();
    const tools = await hostOf({ environment: { ...environment, OLLIE_TOOLS_PATH: own } }).connect(AGENT, NEVER);
    for (const name of ['mine', 'shell']) await tools.load(name, NEVER);
    rmSync(own, { recursive: true });
    killToolsrv();
    expect((await tools.loaded(NEVER)).map(({ name }) => name)).toEqual(['shell']);
  });

  it('complain to all who wait when they cannot be started again', async () => {
    const { command } = launch();
    const once = `[ -e ${folder}/once ] && exit 4; touch ${folder}/once; exec "$@"`;
    const host = hostOf({ command: ['/bin/sh', '-c', once, 'sh', ...command] });
    const agents = await Promise.all(['a', 'b', 'c'].map((id) => host.connect(id, NEVER)));
    killToolsrv();
    const outcomes = await Promise.allSettled(agents.map((agent) => agent.revision(NEVER)));
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(host.isRunning).toBe(false);
  });

  it('give up when the agent is closed or the host is', async () => {
    const host = hostOf();
    const [a, b] = [await host.connect('a', NEVER), await host.connect('b', NEVER)];
    await a.close();
    await expect(a.revision(NEVER)).rejects.toThrow('toolsrv: connection lost');
    expect(await b.revision(NEVER)).toBe(0);
    await host.close();
    await expect(b.revision(NEVER)).rejects.toThrow('toolsrv: connection lost');
    await expect(host.connect('c', NEVER)).rejects.toThrow('toolsrv: connection lost');
    expect(readdirSync(join(folder, 'tools'))).toEqual([]);
  });

  it('keep their secret out of command lines and environments', async () => {
    await hostOf().connect(AGENT, NEVER);
    const [pid] = processesOf(folder);
    const known = ['cmdline', 'environ'].map((file) => readFileSync(`/proc/${String(pid)}/${file}`, 'utf8')).join('\0');
    expect(known).toContain('--secret-fd\x003');
    expect(known).not.toMatch(/[0-9a-f]{64}/);
    expect(known).not.toContain('planted');
  });

  describe('that do not come up', () => {
    it('tell the last words of the process', async () => {
      const host = hostOf({ command: ['/bin/sh', '-c', 'echo first >&2; echo "no helper here" >&2; exit 3'] });
      await expect(host.connect(AGENT, NEVER)).rejects.toThrow(/^i\/o error: toolsrv: ended with exit code 3\nfirst\nno helper here$/);
    });

    it('tell that there is no such program', async () => {
      const host = hostOf({ command: ['/no/such/program'] });
      await expect(host.connect(AGENT, NEVER)).rejects.toThrow(/^i\/o error: toolsrv: could not be started: .*ENOENT/);
    });

    it('are tried anew at the next need', async () => {
      const host = hostOf({ command: ['/bin/sh', '-c', 'exit 1'] });
      await expect(host.connect(AGENT, NEVER)).rejects.toThrow('exit code 1');
      await expect(host.connect(AGENT, NEVER)).rejects.toThrow('exit code 1');
    });

    it('are not waited for by one who gives up', async () => {
      const host = hostOf({ command: ['/bin/sh', '-c', 'exec sleep 64.4023'] });
      await expect(host.connect(AGENT, AbortSignal.timeout(100))).rejects.toThrow('timeout');
      await host.close();
      expect(processesOf('sleep 64.4023')).toEqual([]);
    });
  });

  describe('asked for what the host offers', () => {
    it('answer from a process that is gone afterwards, once for all askers until told to forget', async () => {
      const factory = new ToolHosts(launch(), project);
      const [first, second] = await Promise.all([factory.catalog(NEVER), factory.catalog(NEVER)]);
      expect(second).toBe(first);
      expect(first.map(({ name }) => name)).toEqual(['client_9p', 'file_edit', 'file_read', 'file_write', 'shell']);
      expect(processesOf(folder)).toEqual([]);
      factory.invalidate();
      expect(await factory.catalog(NEVER)).not.toBe(first);
      await factory.close();
    });

    it('do not remember a failure', async () => {
      const factory = new ToolHosts(launch({ command: ['/bin/sh', '-c', 'exit 1'] }), project);
      const [first, second] = [await complaint(factory.catalog(NEVER)), await complaint(factory.catalog(NEVER))];
      expect(first).toBeInstanceOf(Error);
      expect(second).not.toBe(first);
      await factory.close();
    });

    it('are forgotten once they are closed', async () => {
      const factory = new ToolHosts(launch(), project);
      const closed = await closedHost(factory);
      await factory.catalog(NEVER);
      setFlagsFromString('--expose-gc');
      runInNewContext('gc()');
      expect(closed.deref()).toBeUndefined();
      await factory.close();
    });

    it('end with the factory, as those of sessions do', async () => {
      const factory = new ToolHosts(launch(), project);
      await factory.forSession('s-1', project).connect(AGENT, NEVER);
      await factory.close();
      expect(processesOf(folder)).toEqual([]);
    });
  });
});

async function complaint(promise: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome.status === 'rejected' ? outcome.reason : undefined;
}

async function closedHost(factory: ToolHosts): Promise<WeakRef<ToolHost>> {
  const host = factory.forSession('s-1', '/');
  await host.close();
  return new WeakRef(host);
}

/** The processes whose command line holds a text. */
function processesOf(text: string): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => commandOf(pid).includes(text)).map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(errnoOf(error) ?? '')) return ''; // it is gone
    throw error;
  }
}
