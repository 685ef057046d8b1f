import { resultText } from '#model';
import { RunOrderError } from '#sandbox';
import { ExecutorBench, type ExecutorSetting, type FakeRun } from '#testkit';
import type { CallRequest } from './call-request.js';
import { until } from './describe-launcher.js';

const signal = new AbortController().signal;

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});
afterEach(() => bench.remove());

const executor = (setting?: ExecutorSetting) => bench.executor(setting);
const call = (more?: Partial<CallRequest>) => bench.call(more);

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
      cwd: bench.cwd,
      env: { OLLIE_ARGS: '{"cmd":"ls","n":5}', OLLIE_ARG_N: '5', PATH: '/bin' },
    });
    expect(bench.table.list()[0]?.facts).toMatchObject({
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
    expect(grants).toContainEqual(expect.objectContaining({ path: bench.cwd, access: 'rwx' }));
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
    expect(bench.table.list()).toEqual([]);
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
    expect(await tools.run(call({ cwd: bench.home }), signal)).toMatchObject({ isError: false, sandbox: 'none' });
    expect(launcher.runs[0]?.order.policy).toBeUndefined();
  });

  test('a home directory as the working directory is refused with the policy’s reason', async () => {
    const { executor: tools, launcher } = executor();
    expect(resultText(await tools.run(call({ cwd: bench.home }), signal))).toMatch(/^execution failed: .*CWD/);
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
    expect(bench.table.list()[0]).toMatchObject({ state: 'exited', cause: 'cancel' });
  });

  test('a tool that takes too long is ended, and its output so far is told', async () => {
    const onRun = (run: FakeRun): void => run.write('so far');
    const result = await executor({ onRun }).executor.run(call({ args: { cmd: 'x', timeout: 1 } }), signal);
    expect(resultText(result)).toBe('execution timeout after 1 seconds\nso far');
  });

  test('calls that write wait for one another; one that is cancelled while it waits says so at once', async () => {
    const { executor: tools, launcher } = executor({ onRun: () => undefined });
    const stop = new AbortController();
    const first = tools.run(call({ tool: 'writes' }), signal);
    await until(() => launcher.runs.length === 1);
    const [second, third] = [stop.signal, signal].map((end) => tools.run(call({ tool: 'writes' }), end));
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
    const commands = bench.table.list().map((process) => process.facts.command);
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
