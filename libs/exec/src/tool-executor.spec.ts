import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { logTo, Paths, silentLog } from '#config';
import { isJsonObject, parseJson, resultText, type JsonObject } from '#model';
import { ToolRegistry } from '#registry';
import { RunOrderError } from '#sandbox';
import { FakeClock, FakeProcessLauncher, type FakeRun, FakeSandboxStatus, fakeTool, FakeToolCatalog } from '#testkit';
import { compileCheck } from '#tools';
import type { Client } from '#virtfs';
import { BypassBroker } from './bypass/bypass-broker.js';
import type { CallRequest } from './call-request.js';
import { until } from './describe-launcher.js';
import { PrivateTmp } from './private-tmp.js';
import { CallGate } from './call-gate.js';
import { CallCheck } from './call-check.js';
import { ProcessTable } from './process-table.js';
import type { SandboxFacts } from './sandbox-status.js';
import { processStat } from './process-text.js';
import { SessionDirectories } from './session-directories.js';
import { SessionLocks } from './session-locks.js';
import { ToolExecutor } from './tool-executor.js';
import type { ToolProcess } from './tool-process.js';
import { Workbench } from './workbench.js';

const schema = { type: 'object', required: ['cmd'], properties: { cmd: { type: 'string' }, n: { type: 'integer' } } } as const;
const shell = fakeTool(
  { name: 'shell', inputSchema: schema, tier: 'warm', background: true, timeout: 9, bypass: 'ask' },
  { command: { type: 'shell', line: 'x' }, check: compileCheck(schema) },
);
const writes = fakeTool({ name: 'writes', parallel: 'write' });
const outside = fakeTool({ name: 'outside', bypass: 'always' }, { env: ['SECRET_TOKEN'] });
const request: CallRequest = {
  tool: 'shell',
  agent: 'a-1',
  session: 's-1',
  cwd: '/',
  label: '',
  call: 'c-1',
  env: {},
  args: { cmd: 'ls' },
  fields: new Map(),
};
const signal = new AbortController().signal;

let home: string;
let cwd: string;
let table: ProcessTable;
let broker: BypassBroker;
let audit: string[];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'executor-'));
  cwd = mkdtempSync(join(home, 'project-'));
  table = new ProcessTable();
  audit = [];
  const sink = { write: (line: string) => void audit.push(line), flush: () => Promise.resolve() };
  broker = new BypassBroker(FakeClock.stopped(), logTo([sink], 'toolsrv', 'info'), 300_000);
});
afterEach(async () => {
  await table.killAll();
  rmSync(home, { recursive: true });
});

interface Setting {
  readonly onRun?: (run: FakeRun) => void;
  readonly yolo?: boolean;
  readonly facts?: Partial<SandboxFacts>;
}

function executor({ onRun = (run) => run.exit(), yolo = false, facts = {} }: Setting = {}): {
  executor: ToolExecutor;
  launcher: FakeProcessLauncher;
} {
  const env = { HOME: home, PATH: '/bin', OLLIE_CFG_PATH: join(home, 'config'), SECRET_TOKEN: 'hush' };
  const launcher = new FakeProcessLauncher(onRun);
  const options = { paths: Paths.from(env), env, node: process.execPath, yolo };
  const bench = new Workbench(options, launcher, new FakeSandboxStatus(facts), new PrivateTmp(join(home, 'tmp')), silentLog);
  const catalog = new FakeToolCatalog([shell, fakeTool({ name: 'other' }), fakeTool({ name: 'foreground' }), writes, outside]);
  const registry = new ToolRegistry(catalog);
  for (const tool of ['shell', 'foreground', 'outside', 'writes']) registry.load('a-1', tool);
  const locks = new SessionLocks(new SessionDirectories(join(home, 'tmp'), silentLog));
  const gate = new CallGate(new CallCheck(Paths.from(env)), broker, locks);
  return { executor: new ToolExecutor(registry, catalog, table, bench, gate), launcher };
}

const call = (more: Partial<CallRequest> = {}): CallRequest => ({ ...request, cwd, ...more });

describe('running a tool', () => {
  test('the tool gets its arguments, typed, and none of the dispatcher’s', async () => {
    const { executor: tools, launcher } = executor({ onRun: (run) => (run.write('out'), run.exit()) });
    const fields = new Map([
      ['n', '5'],
      ['timeout', '7'],
      ['bypass', 'false'],
      ['sandbox', 'default'],
    ]);
    expect(await tools.run(call({ fields }), signal)).toEqual({
      content: [{ type: 'text', text: 'out' }],
      isError: false,
      exitCode: 0,
      sandbox: 'partial',
    });
    const [run] = launcher.runs;
    expect(run?.stdin).toBe('{"cmd":"ls","n":5}\n');
    expect(run?.order).toMatchObject({
      argv: ['sh', '-c', 'x', 'shell'],
      cwd,
      env: { OLLIE_ARGS: '{"cmd":"ls","n":5}', OLLIE_ARG_N: '5', PATH: '/bin' },
    });
    expect(table.list()[0]?.facts).toMatchObject({
      tool: 'shell',
      command: 'ls',
      call: 'c-1',
      tier: 'warm',
      timeoutSeconds: 7,
      background: false,
    });
  });

  test('the policy holds the working directory, the private TMPDIR and the tool’s own directory', async () => {
    const { executor: tools, launcher } = executor();
    await tools.run(call(), signal);
    const order = launcher.runs[0]?.order;
    const grants = order?.policy?.grants ?? [];
    expect(grants).toContainEqual(expect.objectContaining({ path: cwd, access: 'rwx' }));
    expect(grants).toContainEqual(expect.objectContaining({ path: order?.env['TMPDIR'], access: 'rwx' }));
    expect(grants).toContainEqual({ path: '/usr/bin', access: 'rox', origin: 'tool shell' });
  });

  test.each<[string, Partial<CallRequest>, string]>([
    ['an unknown tool', { tool: 'nothing' }, 'no such tool: nothing'],
    ['a tool that is not loaded', { tool: 'other' }, 'tool not loaded: other'],
    ['another agent’s tool', { agent: 'a-2' }, 'tool not loaded: shell'],
    ['missing arguments', { args: {} }, 'invalid arguments: /cmd is required'],
    ['wrong arguments', { fields: new Map([['n', 'many']]) }, 'invalid arguments: /n must be integer'],
    ['a bad timeout', { args: { cmd: 'x', timeout: 0 } }, 'invalid arguments: /timeout must be'],
    [
      'a policy that does not exist',
      { args: { cmd: 'x', sandbox: 'strict' } },
      'invalid arguments: /sandbox there is no policy named strict',
    ],
    ['a bypass that nobody could approve', { args: { cmd: 'x', bypass: true } }, 'bypass unavailable: no observer'],
    [
      'a bypass with a policy',
      { args: { cmd: 'x', bypass: true, sandbox: 'offline' } },
      'invalid arguments: /sandbox a call outside the sandbox has no policy',
    ],
    ['a tool that always asks', { tool: 'outside' }, 'bypass unavailable: no observer'],
    [
      'a bypass by a tool that has none',
      { tool: 'foreground', args: { bypass: true } },
      'invalid arguments: /bypass foreground never leaves',
    ],
    ['a directory that does not exist', { cwd: '/nowhere' }, 'no such directory: /nowhere'],
    ['a variable that is not allowed', { env: { LD_PRELOAD: 'x' } }, 'invalid arguments: /env.LD_PRELOAD is not allowed'],
  ])('%s is an error result, and nothing runs', async (_what, more, text) => {
    const { executor: tools, launcher } = executor();
    const result = await tools.run(call(more), signal);
    expect([result.isError, resultText(result)]).toEqual([true, expect.stringContaining(text)]);
    expect(launcher.runs).toEqual([]);
    expect(table.list()).toEqual([]);
  });

  test('without a helper or without Landlock nothing runs', async () => {
    const bare = executor({ facts: { helper: undefined } });
    expect(resultText(await bare.executor.run(call(), signal))).toBe('execution failed: the sandbox helper is not built: npm run setup');
    const old = executor({ facts: { landlock: 0 } });
    expect(resultText(await old.executor.run(call(), signal))).toBe('landlock unavailable: start toolsrv with --yolo to run unsandboxed');
    expect([...bare.launcher.runs, ...old.launcher.runs]).toEqual([]);
  });

  test('yolo runs without a policy, also where none could be made', async () => {
    const { executor: tools, launcher } = executor({ yolo: true, facts: { landlock: 0 } });
    expect(await tools.run(call({ cwd: home }), signal)).toMatchObject({ isError: false, sandbox: 'none' });
    expect(launcher.runs[0]?.order.policy).toBeUndefined();
  });

  test('a home directory as the working directory is refused with the policy’s reason', async () => {
    const { executor: tools, launcher } = executor();
    expect(resultText(await tools.run(call({ cwd: home }), signal))).toMatch(/^execution failed: .*CWD/);
    expect(launcher.runs).toEqual([]);
  });

  test.each<[string, (run: FakeRun) => void, string]>([
    ['a failing command', (run) => (run.write('oops\n'), run.exit(3)), 'execution failed: exit 3\noops\n'],
    ['a silent failure', (run) => run.exit(1), 'execution failed: exit 1'],
    ['a signal', (run) => run.end({ type: 'signal', signal: 11, left: 0 }), 'execution failed: exit 139'],
    [
      'a program that is not there',
      (run) => run.end({ type: 'failed', step: 'exec', message: 'x: not found', code: 127 }),
      'execution failed: exit 127\nexec: x: not found',
    ],
    [
      'a result that is none',
      (run) => (run.write('#!ollie-result\nx'), run.exit()),
      'execution failed: the output after #!ollie-result is no JSON object',
    ],
  ])('%s says how it ended, and keeps its output', async (_what, onRun, text) => {
    const result = await executor({ onRun }).executor.run(call(), signal);
    expect([result.isError, resultText(result)]).toEqual([true, text]);
  });

  test('what was started in the background and ended with the call is told', async () => {
    const text = resultText(await executor({ onRun: (run) => (run.write('up\n'), run.exit(0, 2)) }).executor.run(call(), signal));
    expect(text).toBe('up\n\n[processes that were still running have been ended with the call: 2]\n');
  });

  test('a result that the tool printed itself is passed on, images and all', async () => {
    const content = [
      { type: 'text', text: 'x' },
      { type: 'image', mimeType: 'image/png', data: 'AA==' },
    ];
    const onRun = (run: FakeRun): void => (run.write(`#!ollie-result\n${JSON.stringify({ content, isError: false })}`), run.exit());
    expect(await executor({ onRun }).executor.run(call(), signal)).toEqual({ content, isError: false, exitCode: 0, sandbox: 'partial' });
  });

  test('the text for the model is at most 32 KiB, whatever comes before it', async () => {
    const onRun = (run: FakeRun): void => (run.write('x'.repeat(100_000)), run.exit(1));
    const text = resultText(await executor({ onRun }).executor.run(call(), signal));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32 * 1024);
    expect(text).toMatch(/^execution failed: exit 1\nx+\n\[\.\.\. \d+ of 100000 bytes left out; proc\/1\/out has all \.\.\.\]\nx+$/);
  });

  test('an abort ends the process and says so', async () => {
    const stop = new AbortController();
    const running = executor({ onRun: () => stop.abort() }).executor.run(call(), stop.signal);
    expect(await running).toMatchObject({ isError: true, content: [{ text: 'cancelled' }] });
    expect(table.list()[0]).toMatchObject({ state: 'exited', cause: 'cancel' });
  });

  test('a tool that takes too long is ended, and its output so far is told', async () => {
    const onRun = (run: FakeRun): void => run.write('so far');
    const result = await executor({ onRun }).executor.run(call({ args: { cmd: 'x', timeout: 1 } }), signal);
    expect(resultText(result)).toBe('execution timeout after 1 seconds\nso far');
  });

  test('calls that write wait for one another; one that is cancelled while it waits says so at once', async () => {
    const { executor: tools, launcher } = executor({ onRun: () => undefined });
    const stop = new AbortController();
    const [first, second, third] = [signal, stop.signal, signal].map((end) => tools.run(call({ tool: 'writes' }), end));
    await until(() => launcher.runs.length === 1);
    stop.abort();
    expect([await second, launcher.runs.length]).toMatchObject([{ content: [{ text: 'cancelled' }] }, 1]);
    launcher.runs[0]?.exit();
    await until(() => launcher.runs.length === 2);
    launcher.runs[1]?.exit();
    expect([await first, await third]).toMatchObject([{ isError: false }, { isError: false }]);
  });

  test('one that cannot be started holds nobody up', async () => {
    const { executor: tools } = executor({ onRun: () => AbortSignal.abort(new RunOrderError('no such order')).throwIfAborted() });
    for (let i = 0; i < 2; i += 1) expect(resultText(await tools.run(call({ tool: 'writes' }), signal))).toContain('no such order');
  });

  test('what stat shows as the command is the label, the cmd, or the tool with its arguments', async () => {
    const { executor: tools } = executor();
    await tools.run(call({ label: 'my label' }), signal);
    await tools.run(call(), signal);
    await tools.run(call({ tool: 'foreground', args: { path: 'x'.repeat(300) } }), signal);
    const commands = table.list().map((process) => process.facts.command);
    expect(commands.slice(0, 2)).toEqual(['my label', 'ls']);
    expect(commands[2]).toBe(`foreground {"path":"${'x'.repeat(300)}"}`.slice(0, 200));
  });
});

describe('starting a tool in the background', () => {
  test('gives the process at once, and it has no time limit of its own', async () => {
    const { executor: tools } = executor({ onRun: () => undefined });
    const started = await tools.start(call(), signal);
    expect(started).toMatchObject({ id: 1, state: 'running', facts: { background: true, timeoutSeconds: undefined } });
  });

  test('is refused for a tool that is not meant for it, and for all that run refuses', async () => {
    const { executor: tools } = executor();
    await expect(tools.start(call({ tool: 'foreground' }), signal)).rejects.toThrow('illegal argument: tool cannot run in background');
    await expect(tools.start(call({ tool: 'other' }), signal)).rejects.toThrow('tool not loaded: other');
  });
});

const observer: Client = { role: 'user', uname: 'observer', aname: '', tag: 'test' };

/** Reads the next request and gives this answer to it. */
async function answer(words: JsonObject): Promise<JsonObject> {
  const shown = parseJson(await broker.pending.next(observer, signal));
  if (!isJsonObject(shown)) throw new Error('no object');
  broker.resolve(JSON.stringify({ id: shown['id'], ...words }), observer);
  return shown;
}

describe('running a tool outside the sandbox', () => {
  const bypass = (more: Partial<CallRequest> = {}): CallRequest => call({ args: { cmd: 'ls', bypass: true }, ...more });

  test('an approved call runs without a policy, where and as it was shown', async () => {
    const { executor: tools, launcher } = executor();
    const shown = answer({ approved: true });
    const result = await tools.run(bypass({ cwd: home, label: 'harmless' }), signal);
    expect(result).toMatchObject({ isError: false, sandbox: 'none' });
    const order = launcher.runs[0]?.order;
    expect(order).toMatchObject({ policy: undefined, cwd: home, argv: ['sh', '-c', 'x', 'shell'] });
    expect(await shown).toMatchObject({ agent: 'a-1', session: 's-1', tool: 'shell', command: 'ls', cwd: home, args: { cmd: 'ls' } });
    expect(launcher.runs[0]?.stdin).toBe('{"cmd":"ls"}\n');
    expect(processStat(table.list()[0] as ToolProcess, 0)).toContain('sandbox=none\n');
  });

  test('it has a TMPDIR that no call in the sandbox is granted, whatever session that names', async () => {
    const { executor: tools, launcher } = executor();
    const reading = answer({ approved: true });
    await tools.run(bypass(), signal);
    await reading;
    const tmp = launcher.runs[0]?.order.env['TMPDIR'] ?? '';
    for (const session of ['s-1', 'bypass-s-1', basename(tmp)]) await tools.run(call({ session }), signal);
    const granted = launcher.runs.slice(1).flatMap((run) => run.order.policy?.grants ?? []);
    expect(granted.filter(({ path }) => tmp.startsWith(path))).toEqual([]);
    expect(granted.length).toBeGreaterThan(3);
  });

  test('a rejected one does not run, and says why', async () => {
    const { executor: tools, launcher } = executor();
    const reading = answer({ error: 'not today' });
    expect(resultText(await tools.run(bypass(), signal))).toBe('bypass rejected: not today');
    await reading;
    expect([launcher.runs, table.list()]).toEqual([[], []]);
  });

  test('a cancelled one is cancelled', async () => {
    const stop = new AbortController();
    const { executor: tools, launcher } = executor();
    const reading = broker.pending.next(observer, signal);
    const running = tools.run(bypass(), stop.signal);
    await reading;
    stop.abort();
    expect(resultText(await running)).toBe('cancelled');
    expect(launcher.runs).toEqual([]);
  });

  test('neither Landlock nor a directory that could be granted is needed, but the helper is', async () => {
    const old = executor({ facts: { landlock: 0 } });
    const reading = answer({ approved: true });
    expect(await old.executor.run(bypass(), signal)).toMatchObject({ isError: false });
    await reading;
    const bare = executor({ facts: { helper: undefined } });
    expect(resultText(await bare.executor.run(bypass(), signal))).toContain('the sandbox helper is not built');
  });

  test('what is wrong with a call is told before anybody is asked', async () => {
    const { executor: tools } = executor();
    const text = resultText(await tools.run(bypass({ env: { LD_PRELOAD: 'x' } }), signal));
    expect(text).toContain('/env.LD_PRELOAD is not allowed');
    expect(audit).toEqual([]);
  });

  test('a background call is started when it is approved', async () => {
    const { executor: tools } = executor({ onRun: () => undefined });
    const reading = answer({ approved: true });
    expect(await tools.start(bypass(), signal)).toMatchObject({ id: 1, sandbox: 'none' });
    await reading;
  });

  test('a secret that the tool is given is in neither the request nor the log', async () => {
    const { executor: tools, launcher } = executor();
    const reading = answer({ approved: true });
    await tools.run(call({ tool: 'outside', args: { path: 'x' } }), signal);
    expect(launcher.runs[0]?.order.env['SECRET_TOKEN']).toBe('hush');
    expect(await reading).toMatchObject({ command: 'outside {"path":"x"}', env: { SECRET_TOKEN: '***' } });
    expect(audit).toEqual([expect.stringMatching(/ warn toolsrv: bypass \{"id":"b-1","decision":"approved","by":"observer \(test\)"/)]);
    expect(JSON.stringify([await reading, audit])).not.toContain('hush');
  });
});

describe('running a call that a rule asks about', () => {
  const asking = (more: Partial<CallRequest> = {}): CallRequest => call({ args: { cmd: 'rm -rf .git' }, ...more });

  test('it runs in the sandbox when it is approved, in the foreground and in the background', async () => {
    const { executor: tools, launcher } = executor();
    const shown = answer({ approved: true });
    expect(await tools.run(asking(), signal)).toMatchObject({ isError: false, sandbox: 'partial' });
    expect(await shown).toMatchObject({ kind: 'permission', rule: 'delete-repository', command: 'rm -rf .git', cwd });
    const again = answer({ approved: true });
    expect(await tools.start(asking(), signal)).toMatchObject({ id: 2, sandbox: 'partial' });
    await again;
    expect(launcher.runs.map(({ order }) => order.policy?.grants.some(({ path }) => path === cwd))).toEqual([true, true]);
  });

  test('it does not run otherwise', async () => {
    const { executor: tools, launcher } = executor();
    expect(resultText(await tools.run(asking(), signal))).toMatch(/^permission unavailable: no observer\ndelete-repository: /);
    await expect(tools.start(asking(), signal)).rejects.toThrow(/^permission unavailable: no observer\ndelete-repository: /);
    const reading = answer({ error: 'no' });
    expect(resultText(await tools.run(asking(), signal))).toMatch(/^permission rejected: no\ndelete-repository: /);
    await reading;
    expect([launcher.runs, table.list()]).toEqual([[], []]);
  });

  test('one question is enough for a call that is to leave the sandbox as well', async () => {
    const { executor: tools } = executor();
    const shown = answer({ approved: true });
    expect(await tools.run(asking({ args: { cmd: 'rm -rf .git', bypass: true } }), signal)).toMatchObject({ sandbox: 'none' });
    expect(await shown).toMatchObject({ kind: 'bypass', rule: 'delete-repository' });
  });
});
