import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Test, type TestingModule } from '@nestjs/testing';
import { Paths, silentLog } from '#config';
import { ProcessLauncher, ProcessTable, SandboxStatus } from '#exec';
import { FakeProcessLauncher, FakeSandboxStatus, fakeTool, FakeToolCatalog } from '#testkit';
import { ToolCatalog } from '#tools';
import { MemoryClient, mount } from '#virtfs';
import { toolsrvNamespace } from './namespace/root.js';
import { ToolsrvModule } from './toolsrv.module.js';
import { ToolsrvServices } from './toolsrv-services.js';

const shell = fakeTool({ name: 'shell', description: 'Runs a command', background: true, timeout: 5 });

let home: string;
let cwd: string;
let testing: TestingModule;
let launcher: FakeProcessLauncher;
let client: MemoryClient;

beforeEach(() => start(false));

async function start(auth: boolean): Promise<void> {
  home = mkdtempSync(join(tmpdir(), 'module-'));
  cwd = join(home, 'project');
  mkdirSync(cwd);
  launcher = new FakeProcessLauncher();
  const env = { HOME: home, OLLIE_CFG_PATH: join(home, 'config'), OLLIE_TMP_PATH: join(home, 'tmp'), PATH: '/bin' };
  const options = {
    cwd,
    listen: `unix!${home}/socket`,
    yolo: false,
    auth,
    idleTimeoutMs: undefined,
    lastProcess: 0,
    secretFd: undefined,
    observerSecret: undefined,
    bypassTimeoutMs: 300_000,
    version: '1.2.3',
    logLevel: 'off',
  } as const;
  const host = { env, paths: Paths.from(env), log: silentLog, node: process.execPath, helper: undefined };
  testing = await Test.createTestingModule({ imports: [ToolsrvModule.forRoot(options, host)] })
    .overrideProvider(ProcessLauncher)
    .useValue(launcher)
    .overrideProvider(SandboxStatus)
    .useValue(new FakeSandboxStatus())
    .overrideProvider(ToolCatalog)
    .useValue(new FakeToolCatalog([shell, fakeTool({ name: 'absent', description: 'x' })]))
    .compile();
  client = new MemoryClient(mount(toolsrvNamespace, testing.get(ToolsrvServices)), { uname: 'agent', aname: 'a-1' });
}

afterEach(() => stop());

async function stop(): Promise<void> {
  await testing.get(ProcessTable).killAll();
  await testing.close();
  rmSync(home, { recursive: true });
}

describe('toolsrv’s providers, without a socket and without a process', () => {
  test('the namespace has the files of the contract', async () => {
    expect(await client.ls('/')).toEqual(['ctl', 'tools', 'tools_rev', 'all', 'info', 'bypass', 'proc']);
    expect(await client.ls('proc')).toEqual(['list', 'new', 'new.bg']);
    expect(readdirSync(home)).toEqual(['project']);
  });

  test('info tells what and where it is, in Go’s names', async () => {
    const arch = process.arch === 'x64' ? 'amd64' : process.arch;
    expect(await client.read('info')).toBe(
      `platform=linux\narch=${arch}\nversion=1.2.3\nlandlock=7\nsandbox=partial\nmissing=cells\ncwd=${cwd}\ntools=2\npid=${process.pid}\n`,
    );
  });

  test('all lists every tool of the host, one a line', async () => {
    const text = await client.read('all');
    expect(JSON.parse(text)).toEqual([
      { name: 'shell', description: 'Runs a command', source: '/tools/shell.yaml', available: true },
      { name: 'absent', description: 'x', source: '/tools/absent.yaml', available: true },
    ]);
    expect(text.split('\n')).toHaveLength(5);
  });

  test('tools are loaded for an agent, and each change counts', async () => {
    expect([await client.ask('tools', 'a-1\n'), await client.ask('tools_rev', 'a-1')]).toEqual(['[]\n', '0\n']);
    await client.write('ctl', 'load a-1 shell\nload a-1 absent\nunload a-1 absent\n');
    expect(await client.ask('tools_rev', 'a-1\n')).toBe('3\n');
    expect(JSON.parse(await client.ask('tools', 'a-1\n'))).toEqual([
      {
        name: 'shell',
        description: 'Runs a command',
        inputSchema: { type: 'object' },
        tier: 'hot',
        parallel: 'none',
        bypass: 'never',
        timeout: 5,
        background: true,
      },
    ]);
    expect(await client.ask('tools', 'a-2')).toBe('[]\n');
  });

  test.each([
    ['load a-1 nothing\n', 'no such tool: nothing'],
    ['unload a-1 shell\n', 'no such tool: shell'],
    ['load shell\n', 'illegal argument: usage: load <agent> <tool>'],
    ['load a b c\n', 'illegal argument: usage: load <agent> <tool>'],
    ['drop a b\n', 'illegal command: drop'],
  ])('ctl refuses %j', async (line, text) => {
    await expect(client.write('ctl', line)).rejects.toThrow(text);
  });

  test('where clients show a secret, a call without the token that they got is refused', async () => {
    await stop();
    await start(true);
    await client.write('ctl', 'load a-1 shell\n');
    await expect(client.ask('proc/new', 'tool=shell\nagent=a-1\n')).rejects.toThrow('permission denied: bad token');
  });

  test('what only takes orders cannot be read', async () => {
    await expect(client.read('ctl')).rejects.toThrow('permission denied');
  });

  test('a call runs, and its process can be looked at afterwards', async () => {
    await client.write('ctl', 'load a-1 shell\n');
    const answer = client.ask('proc/new', 'tool=shell\nagent=a-1\ncall=c-9\nlabel=look\n');
    await eventually(() => launcher.runs.length === 1);
    launcher.runs[0]?.write('hello\n');
    expect(await client.read('proc/list')).toBe('1\trunning\tshell\n');
    launcher.runs[0]?.exit();
    expect(await answer).toBe('{"content":[{"type":"text","text":"hello\\n"}],"isError":false,"exitCode":0,"sandbox":"partial"}\n');
    expect(await client.read('proc/1/out')).toBe('hello\n');
    expect(await client.read('proc/1/wait')).toBe('0\n');
    expect(await client.read('proc/1/stat')).toMatch(/^id=1\nstate=exited\ntool=shell\ncall=c-9\nsandbox=partial\ncmd=look\nagent=a-1\n/);
    expect(await client.ask('proc/list', 'a-1\n')).toBe('1\texited\tshell\n');
    expect(await client.ask('proc/list', 'a-2\n')).toBe('');
  });

  test('the agent is the attach name where the payload names none; its directory is the server’s', async () => {
    await client.write('ctl', 'load a-1 shell\n');
    const answer = client.ask('proc/new', 'tool=shell\n');
    await eventually(() => launcher.runs.length === 1);
    launcher.runs[0]?.exit();
    expect(await answer).toContain('"isError":false');
    expect(launcher.runs[0]?.order.cwd).toBe(cwd);
    expect(launcher.runs[0]?.order.env['TMPDIR']).toMatch(new RegExp(`^${home}/tmp/`));
  });

  test('a background call gives its number at once; ack and dismiss wait for its end', async () => {
    await client.write('ctl', 'load a-1 shell\n');
    expect(await client.ask('proc/new.bg', 'tool=shell\nagent=a-1\n')).toBe('1\n');
    await expect(client.write('proc/1/ctl', 'dismiss\n')).rejects.toThrow('process is busy: still running');
    launcher.runs[0]?.exit(3);
    expect(await client.read('proc/1/wait')).toBe('3\n');
    await client.write('proc/1/ctl', 'ack\n');
    expect(await client.read('proc/1/stat')).toContain('notified=true\n');
    await client.write('proc/1/ctl', 'dismiss\n');
    expect(await client.ls('proc')).toEqual(['list', 'new', 'new.bg']);
  });

  test('signals go to the group by number and name', async () => {
    await client.write('ctl', 'load a-1 shell\n');
    await client.ask('proc/new.bg', 'tool=shell\nagent=a-1\n');
    await client.write('proc/1/ctl', 'signal 10\nsignal USR2\nterm\n');
    expect(launcher.runs[0]?.signals).toEqual([10, 12, 15]);
    await expect(client.write('proc/1/ctl', 'signal LOUD\n')).rejects.toThrow('illegal argument: signal LOUD');
    await client.write('proc/1/ctl', 'kill\n');
    expect(await client.read('proc/1/wait')).toBe('137\n');
    await expect(client.write('proc/1/ctl', 'term\n')).rejects.toThrow('no such process: 1');
  });

  test('what runs at the end of the server is told to end', async () => {
    await client.write('ctl', 'load a-1 shell\n');
    await client.ask('proc/new.bg', 'tool=shell\nagent=a-1\n');
    const [process] = testing.get(ProcessTable).list();
    await testing.get(ProcessTable).killAll();
    expect(process?.outcome).toEqual({ type: 'signal', signal: 15, left: 0 });
  });

  test('an unparsable payload is an error of the file, a call that cannot run is a result', async () => {
    await expect(client.ask('proc/new', 'tool=shell\nnonsense\n')).rejects.toThrow('illegal argument: bad payload line 2');
    expect(await client.ask('proc/new', 'tool=shell\nagent=a-1\n')).toBe(
      '{"content":[{"type":"text","text":"tool not loaded: shell"}],"isError":true}\n',
    );
  });
});

async function eventually(test: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !test(); i += 1) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(test()).toBe(true);
}
