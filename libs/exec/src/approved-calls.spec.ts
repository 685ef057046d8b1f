import { basename } from 'node:path';
import { resultText } from '#model';
import { ExecutorBench, type ExecutorSetting } from '#testkit';
import type { CallRequest } from './call-request.js';
import { processStat } from './process-text.js';
import type { ToolProcess } from './tool-process.js';

const signal = new AbortController().signal;

let bench: ExecutorBench;
beforeEach(() => {
  bench = new ExecutorBench();
});
afterEach(() => bench.remove());

const idOf = (shown: Uint8Array | string) => /"id":"([^"]+)"/.exec(String(shown))?.[1];
const executor = (setting?: ExecutorSetting) => bench.executor(setting);
const call = (more?: Partial<CallRequest>) => bench.call(more);

describe('running a tool outside the sandbox', () => {
  const bypass = (more: Partial<CallRequest> = {}): CallRequest => call({ args: { cmd: 'ls', bypass: true }, ...more });

  test('an approved call runs without a policy, where and as it was shown', async () => {
    const { executor: tools, launcher } = executor();
    const shown = bench.answer({ approved: true });
    const result = await tools.run(bypass({ cwd: bench.home, label: 'harmless' }), signal);
    expect(result).toMatchObject({ isError: false, sandbox: 'none' });
    const order = launcher.runs[0]?.order;
    expect(order).toMatchObject({ policy: undefined, cwd: bench.home, argv: ['sh', '-c', 'x', 'shell'] });
    expect(await shown).toMatchObject({ agent: 'a-1', session: 's-1', tool: 'shell', command: 'ls', cwd: bench.home, args: { cmd: 'ls' } });
    expect(launcher.runs[0]?.stdin).toBe('{"cmd":"ls"}\n');
    expect(processStat(bench.table.list()[0] as ToolProcess, 0)).toContain('sandbox=none\n');
  });

  test('it has a TMPDIR that no call in the sandbox is granted, whatever session that names', async () => {
    const { executor: tools, launcher } = executor();
    const reading = bench.answer({ approved: true });
    await tools.run(bypass(), signal);
    await reading;
    const tmp = launcher.runs[0]?.order.env['TMPDIR'] ?? '';
    for (const session of ['s-1', 'bypass-s-1', basename(tmp)]) await tools.run(call({ session }), signal);
    const granted = launcher.runs.slice(1).flatMap((run) => run.order.policy?.grants ?? []);
    expect(granted.filter(({ path }) => tmp.startsWith(path))).toEqual([]);
    expect(granted.length).toBeGreaterThan(3);
  });

  test('calls that write go on while one of them waits for its approval', async () => {
    const { executor: tools, launcher } = executor();
    const reading = bench.broker.pending.next(bench.observer, signal);
    const asked = tools.run(bypass({ tool: 'writes', args: { bypass: true } }), signal);
    const shown = await reading;
    expect(await tools.run(call({ tool: 'writes', args: {} }), signal)).toMatchObject({ isError: false });
    expect(launcher.runs).toHaveLength(1);
    bench.broker.resolve(JSON.stringify({ id: idOf(shown), approved: true }), bench.observer);
    expect(await asked).toMatchObject({ isError: false, sandbox: 'none' });
  });

  test('a rejected one does not run, and says why', async () => {
    const { executor: tools, launcher } = executor();
    const reading = bench.answer({ error: 'not today' });
    expect(resultText(await tools.run(bypass(), signal))).toBe('bypass rejected: not today');
    await reading;
    expect([launcher.runs, bench.table.list()]).toEqual([[], []]);
  });

  test('a cancelled one is cancelled', async () => {
    const stop = new AbortController();
    const { executor: tools, launcher } = executor();
    const reading = bench.broker.pending.next(bench.observer, signal);
    const running = tools.run(bypass(), stop.signal);
    await reading;
    stop.abort();
    expect(resultText(await running)).toBe('cancelled');
    expect(launcher.runs).toEqual([]);
  });

  test('neither Landlock nor a directory that could be granted is needed, but the helper is', async () => {
    const old = executor({ facts: { landlock: 0 } });
    const reading = bench.answer({ approved: true });
    expect(await old.executor.run(bypass(), signal)).toMatchObject({ isError: false });
    await reading;
    const bare = executor({ facts: { helper: undefined } });
    expect(resultText(await bare.executor.run(bypass(), signal))).toContain('the sandbox helper is not built');
  });

  test('what is wrong with a call is told before anybody is asked', async () => {
    const { executor: tools } = executor();
    const text = resultText(await tools.run(bypass({ env: { LD_PRELOAD: 'x' } }), signal));
    expect(text).toContain('/env.LD_PRELOAD is not allowed');
    expect(bench.audit).toEqual([]);
  });

  test('a background call is started when it is approved', async () => {
    const { executor: tools } = executor({ onRun: () => undefined });
    const reading = bench.answer({ approved: true });
    expect(await tools.start(bypass(), signal)).toMatchObject({ id: 1, sandbox: 'none' });
    await reading;
  });

  test('a secret that the tool is given is in neither the request nor the log', async () => {
    const { executor: tools, launcher } = executor();
    const reading = bench.answer({ approved: true });
    await tools.run(call({ tool: 'outside', args: { path: 'x' } }), signal);
    expect(launcher.runs[0]?.order.env['SECRET_TOKEN']).toBe('hush');
    expect(await reading).toMatchObject({ command: 'outside {"path":"x"}', env: { SECRET_TOKEN: '***' } });
    expect(bench.audit).toEqual([
      expect.stringMatching(/ warn toolsrv: bypass \{"id":"b-1","decision":"approved","by":"observer \(test\)"/),
    ]);
    expect(JSON.stringify([await reading, bench.audit])).not.toContain('hush');
  });
});

describe('running a call that a rule asks about', () => {
  const asking = (more: Partial<CallRequest> = {}): CallRequest => call({ args: { cmd: 'rm -rf .git' }, ...more });

  test('it runs in the sandbox when it is approved, in the foreground and in the background', async () => {
    const { executor: tools, launcher } = executor();
    const shown = bench.answer({ approved: true });
    expect(await tools.run(asking(), signal)).toMatchObject({ isError: false, sandbox: 'partial' });
    expect(await shown).toMatchObject({ kind: 'permission', rule: 'delete-repository', command: 'rm -rf .git', cwd: bench.cwd });
    const again = bench.answer({ approved: true });
    expect(await tools.start(asking(), signal)).toMatchObject({ id: 2, sandbox: 'partial' });
    await again;
    expect(launcher.runs.map(({ order }) => order.policy?.grants.some(({ path }) => path === bench.cwd))).toEqual([true, true]);
  });

  test('it does not run otherwise', async () => {
    const { executor: tools, launcher } = executor();
    expect(resultText(await tools.run(asking(), signal))).toMatch(/^permission unavailable: no observer\ndelete-repository: /);
    await expect(tools.start(asking(), signal)).rejects.toThrow(/^permission unavailable: no observer\ndelete-repository: /);
    const reading = bench.answer({ error: 'no' });
    expect(resultText(await tools.run(asking(), signal))).toMatch(/^permission rejected: no\ndelete-repository: /);
    await reading;
    expect([launcher.runs, bench.table.list()]).toEqual([[], []]);
  });

  test('one question is enough for a call that is to leave the sandbox as well', async () => {
    const { executor: tools } = executor();
    const shown = bench.answer({ approved: true });
    expect(await tools.run(asking({ args: { cmd: 'rm -rf .git', bypass: true } }), signal)).toMatchObject({ sandbox: 'none' });
    expect(await shown).toMatchObject({ kind: 'bypass', rule: 'delete-repository' });
  });
});
