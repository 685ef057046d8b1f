import { FakeProcessLauncher, type FakeRun } from '#testkit';
import type { Client } from '#virtfs';
import { ProcessTable, type Retention } from './process-table.js';
import { processLines, processStat } from './process-text.js';
import type { ProcessFacts, ToolProcess } from './tool-process.js';

const order = { policy: undefined, cell: false, argv: ['x'], cwd: '/', env: {}, graceMs: 1 };
const facts: ProcessFacts = {
  tool: 'shell',
  command: 'go test\t./...',
  agent: 'a-1',
  session: 's-1',
  call: 'toolu_01',
  cwd: '/p',
  tier: 'hot',
  background: false,
  timeoutSeconds: undefined,
};
const retention: Retention = { callMs: 100, backgroundMs: 1000, maxExited: 3, maxOutputBytes: 100 };
const signal = new AbortController().signal;
const client: Client = { role: 'user', uname: 'agent', aname: '', tag: 't' };

let launcher: FakeProcessLauncher;
let table: ProcessTable;
beforeEach(() => {
  launcher = new FakeProcessLauncher();
  table = new ProcessTable(retention);
});
afterEach(() => table.killAll());

function start(more: Partial<ProcessFacts> = {}): { process: ToolProcess; run: FakeRun } {
  const process = table.add({ ...facts, ...more }, (listener) => launcher.launch(order, undefined, listener));
  const run = launcher.runs.at(-1);
  if (run === undefined) throw new Error('nothing was launched');
  return { process, run };
}

async function exited(more: Partial<ProcessFacts> = {}, output = ''): Promise<ToolProcess> {
  const { process, run } = start(more);
  run.write(output);
  run.exit();
  await process.ended;
  return process;
}

describe('the process table', () => {
  test('numbers count from 1 and are never used again', async () => {
    const first = await exited();
    first.dismiss();
    expect(start().process.id).toBe(2);
    expect(first.id).toBe(1);
    expect(table.find('1')).toBeUndefined();
    expect(table.find('2')?.id).toBe(2);
    expect(['02', '2x', '', '-1', '9'].map((id) => table.find(id))).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  test('processes are listed by number, all or those of one agent', async () => {
    await exited();
    start({ agent: 'a-2', tool: 'lint' });
    expect(processLines(table.list())).toBe('1\texited\tshell\n2\trunning\tlint\n');
    expect(processLines(table.list('a-2'))).toBe('2\trunning\tlint\n');
    expect(table.running).toBe(1);
  });

  test('a running process cannot be dismissed or acknowledged, an exited one only once', async () => {
    const { process, run } = start({ background: true });
    expect(() => process.dismiss()).toThrow('process is busy: still running');
    expect(() => process.acknowledge()).toThrow('process is busy: still running');
    run.exit();
    await process.ended;
    process.acknowledge();
    expect(process.notified).toBe(true);
    process.dismiss();
    expect(() => process.dismiss()).toThrow('no such process: 1');
  });

  test('calls leave after their time, background processes only once their agent was told', async () => {
    const call = await exited();
    const told = await exited({ background: true });
    const untold = await exited({ background: true });
    told.acknowledge();
    table.sweep(Date.now() + 50);
    expect(table.list()).toEqual([call, told, untold]);
    table.sweep(Date.now() + 500);
    expect(table.list()).toEqual([told, untold]);
    table.sweep(Date.now() + 100_000);
    expect(table.list()).toEqual([untold]);
  });

  test('of too many exited processes, or too much output, the oldest go first; running ones stay', async () => {
    const { process: running } = start();
    const some = [await exited({ background: true }), await exited({ background: true }), await exited({ background: true })];
    await exited({ background: true });
    table.sweep(Date.now());
    expect(table.list().map((process) => process.id)).toEqual([running.id, 3, 4, 5]);
    const large = await exited({ background: true }, 'x'.repeat(100));
    table.sweep(Date.now());
    expect(table.list()).toContain(large);
    expect(table.list()).toHaveLength(4);
    expect(table.list()).not.toContain(some[1]);
  });

  test('output of a process that is forgotten makes room again', async () => {
    (await exited({}, 'x'.repeat(60))).dismiss();
    const kept = [await exited({}, 'x'.repeat(60)), await exited({}, 'x'.repeat(30))];
    expect(table.list()).toEqual(kept);
  });

  test('killAll ends what runs and what is started later, and resolves when all are gone', async () => {
    const { process, run } = start();
    const asked = jest.spyOn(run, 'terminate');
    await table.killAll();
    expect(process.state).toBe('exited');
    expect(process.cause).toBe('shutdown');
    expect(asked).toHaveBeenCalled();
    const late = start().process;
    await late.ended;
    expect(late.exitCode).toBe(137);
  });

  test('starts and ends are told', async () => {
    const seen: number[] = [];
    table.whenChanged(() => seen.push(table.running));
    await exited();
    await new Promise(setImmediate);
    expect(seen).toEqual([1, 0]);
  });
});

describe('a process', () => {
  test('its stat is the contract’s, before and after the end', async () => {
    const { process, run } = start();
    run.write('hello');
    const at = process.startedMs;
    expect(processStat(process, at + 12_400)).toBe(
      [
        'id=1', 'state=running', 'tool=shell', 'call=toolu_01', 'sandbox=none', 'cmd=go test\\t./...', 'agent=a-1', 'session=s-1', 'cwd=/p',
        `start=${at}`, 'end=', 'runtime=12.4', 'exit=', 'ospid=4711', 'outbytes=5', 'notified=false', 'tier=hot', 'background=false', '',
      ].join('\n'),
    ); // prettier-ignore
    run.exit(3);
    await process.ended;
    const end = process.endedMs ?? 0;
    expect(processStat(process, at + 1e9)).toContain(`\nend=${end}\nruntime=${((end - at) / 1000).toFixed(1)}\nexit=3\n`);
  });

  test('its exit code can be waited for by any number, and asked for again', async () => {
    const { process, run } = start();
    const waiting = [process.exit.next(client, signal), process.exit.next(client, signal)];
    run.end({ type: 'signal', signal: 15, left: 0 });
    expect(await Promise.all(waiting)).toEqual(['143', '143']);
    expect(await process.exit.next(client, signal)).toBe('143');
  });

  test('signals reach the group while it runs and are refused afterwards', async () => {
    const { process, run } = start();
    process.signal(10);
    expect(run.signals).toEqual([10]);
    expect(process.cause).toBeUndefined();
    process.signal(9);
    await process.ended;
    expect(process.exitCode).toBe(137);
    expect(process.cause).toBe('signal');
    expect(() => process.signal(15)).toThrow('no such process: 1');
  });

  test('the first cause of its end stays', async () => {
    const { process } = start();
    process.terminate('timeout');
    process.kill('cancel');
    await process.ended;
    process.terminate('shutdown');
    expect(process.cause).toBe('timeout');
  });

  test('a process that ended by itself has no cause', async () => {
    const process = await exited();
    process.kill('cancel');
    expect(process.cause).toBeUndefined();
    expect(process.exitCode).toBe(0);
  });

  test('more output than anybody can want ends it', async () => {
    const { process, run } = start();
    const piece = Buffer.alloc(32 * 1024 * 1024);
    for (let i = 0; i < 8; i += 1) run.write(piece);
    expect(process.state).toBe('running');
    run.write('x');
    await process.ended;
    expect(process.cause).toBe('limit');
  });
});
