import { silentLog } from '#config';
import { PartnerError, textResult } from '#model';
import { FakeEvents, AgentBench, type BenchOptions, eventually, FakeBackend, fakeCall, FakeProcess, textsOf } from '#testkit';
import { AgentNews } from './agent-news.js';
import { BackgroundCalls } from './background-calls.js';
import { ProcessKeeper } from './kept/process-keeper.js';

const tools = { shell: { info: { background: true } }, lint: {} };

/** An agent that has started `make` in the background and said so. */
async function started(options: BenchOptions = {}): Promise<AgentBench> {
  const answers = [
    { calls: [fakeCall('1', 'shell', { cmd: 'make all', background: true })] },
    { text: 'It runs.' },
    { text: 'It is made.' },
  ];
  const bench = new AgentBench({ tools, answers, ...options });
  await bench.prompt('make it');
  return bench;
}

function processOf(bench: AgentBench, index = 0) {
  const process = [...bench.host.servers.values()][0]?.started[index];
  if (!process) throw new Error('nothing was started');
  return process;
}

const userBlocks = (bench: AgentBench) => bench.blocks().filter(({ role }) => role === 'user');

describe('a call in the background', () => {
  it('has its result at once, and its end is told in a turn of its own, once', async () => {
    const bench = await started();
    expect(bench.blocks().find(({ role }) => role === 'tool')?.content).toContain('started in the background as process 1');
    processOf(bench).end({ output: 'a < b && c\n' });
    await eventually(() => bench.chat.includes('It is made.'));
    await bench.idle();
    const [, told] = userBlocks(bench);
    expect(told?.attributes).toMatchObject({ source: 'proc' });
    expect(told?.content).toBe('<system-proc-complete id="1" cmd="make all" exit="0">\na &lt; b &amp;&amp; c\n</system-proc-complete>');
    expect(userBlocks(bench)).toHaveLength(2);
    await eventually(() => processOf(bench).acknowledged === 1);
  });

  it('waits with its end until the running turn is over, and is acknowledged only then', async () => {
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    const bench = await started({
      tools: { ...tools, lint: { run: async () => (await slow, { content: [], isError: false }) } },
      answers: [
        { calls: [fakeCall('1', 'shell', { background: true })] },
        { text: 'It runs.' },
        { calls: [fakeCall('2', 'lint')] },
        { text: 'linted' },
        { text: 'made' },
      ],
    });
    bench.agent.submit('lint it');
    processOf(bench).end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([userBlocks(bench).length, processOf(bench).acknowledged]).toEqual([2, 0]);
    release();
    await eventually(() => processOf(bench).acknowledged === 1);
    expect(textsOf(bench.backend.requests.at(-1)?.messages).at(-1)).toContain('<system-proc-complete id="1"');
  });

  it('does not begin what was stopped and waits', async () => {
    const bench = await started({
      tools: { ...tools, lint: { run: () => new Promise(() => undefined) } },
      answers: [{ calls: [fakeCall('1', 'shell', { background: true })] }, { text: 'It runs.' }, { calls: [fakeCall('2', 'lint')] }],
    });
    bench.agent.submit('lint it');
    bench.agent.submit('and then');
    await eventually(() => [...bench.host.servers.values()][0]?.active === 1);
    await bench.agent.stop();
    processOf(bench).end();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(userBlocks(bench)).toHaveLength(2);
    await bench.prompt('go on');
    await eventually(() => processOf(bench).acknowledged === 1);
    expect(userBlocks(bench).map(({ content }) => content.slice(0, 7))).toEqual(
      ['make it', 'lint it', 'and the', '<system', 'go on'].map((text) => text.slice(0, 7)),
    );
  });

  it('is told to be lost when its tool server is, and nothing is acknowledged', async () => {
    const bench = await started();
    const process = processOf(bench);
    [...bench.host.servers.values()][0]?.lose();
    await eventually(() => userBlocks(bench).length === 2);
    expect(userBlocks(bench)[1]?.content).toBe(
      '<system-proc-complete id="1" cmd="make all" exit="lost">\ntoolsrv connection lost\n</system-proc-complete>',
    );
    await bench.idle();
    expect(process.acknowledged).toBe(0);
  });

  it('is told with what its tool server said when that is not what the contract says', async () => {
    const bench = await started();
    processOf(bench).fail(new PartnerError('toolsrv: malformed answer: proc/1/wait: x'));
    await eventually(() => userBlocks(bench).length === 2);
    expect(userBlocks(bench)[1]?.content).toContain('exit="lost">\ni/o error: toolsrv: malformed answer: proc/1/wait: x\n<');
  });

  it('ends with its agent, untold', async () => {
    const bench = await started();
    await bench.agent.kill();
    expect(processOf(bench).killed).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(userBlocks(bench)).toHaveLength(1);
    expect(processOf(bench).acknowledged).toBe(0);
  });

  it('is a call as any other where the tool does not go into the background', async () => {
    const bench = new AgentBench({ tools, answers: [{ calls: [fakeCall('1', 'lint', { background: true })] }, { text: 'ok' }] });
    await bench.prompt('lint');
    const [server] = bench.host.servers.values();
    expect(server?.started).toEqual([]);
    expect(server?.calls[0]?.arguments).toEqual({ background: true });
  });

  it('tells why it was refused', async () => {
    const bench = await started({
      answers: [
        { calls: [fakeCall('1', 'shell', { background: true })] },
        { text: 'ok' },
        { calls: [fakeCall('2', 'shell', { background: true })] },
      ],
    });
    for (const server of bench.host.servers.values()) server.start = async () => textResult('no such tool: shell', true);
    await bench.prompt('again');
    expect(bench.blocks().findLast(({ role }) => role === 'tool')).toMatchObject({
      content: 'no such tool: shell',
      attributes: { error: 'true' },
    });
  });
});

describe('background calls that were closed', () => {
  const request = { id: '1', tool: 'shell', arguments: { cmd: 'make' }, cwd: '/', env: {} };
  const never = new AbortController().signal;

  function closing(ended = () => Promise.resolve()) {
    const said: string[] = [];
    const log = { ...silentLog, debug: (text: string) => void said.push(`debug ${text}`), error: (text: string) => void said.push(text) };
    const calls = new BackgroundCalls(
      { started: () => undefined, ended },
      log,
      new AgentNews(new FakeEvents(), { id: 'a', sessionId: 's' }),
      new ProcessKeeper(undefined, () => fail('nothing is kept'), log),
    );
    const process = new FakeProcess(7, never);
    return { said, calls, process, start: () => Promise.resolve(process) };
  }

  it('kill what was being started, and do not say that it runs', async () => {
    const { calls, process, start } = closing();
    await calls.close(never, false);
    expect(await calls.start(start, request, never)).toEqual(textResult('cancelled', true));
    expect(process.killed).toBe(true);
  });

  it('have nothing to end of one whose end is being told', async () => {
    let isTold = (): void => undefined;
    const telling = new Promise<void>((resolve) => (isTold = resolve));
    const { calls, process, start } = closing(() => (isTold(), new Promise(() => undefined)));
    await calls.start(start, request, never);
    process.end();
    await telling;
    let kept = 0;
    process.stat = async () => String((kept += 1));
    await calls.close(never, true);
    expect([process.killed, kept]).toEqual([false, 0]);
  });

  it('do not hide a bug in the log, and take their own abort for none', async () => {
    const { said, calls, process, start } = closing();
    await calls.start(start, request, never);
    process.kill = () => Promise.reject(new RangeError('bug'));
    await calls.close(never, false);
    await eventually(() => said.length === 2);
    expect(said.toSorted()).toEqual(['background process: RangeError: bug', expect.stringMatching(/^debug .*AbortError/)]);
  });
});

describe('what a model may say to the dispatcher', () => {
  it('stands in the schema of each tool, as far as the tool allows it', async () => {
    const backend = new FakeBackend([]);
    const schema = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'], additionalProperties: false };
    const bench = new AgentBench({
      backends: [backend],
      tools: {
        shell: { info: { background: true, bypass: 'ask', inputSchema: schema } },
        wait: { info: { inputSchema: { type: 'object', properties: { timeout: { type: 'string' } } } } },
      },
    });
    await bench.prompt('hi');
    const [shell, wait] = backend.requests[0]?.tools ?? [];
    expect(shell?.parameters).toMatchObject({ ...schema, properties: { cmd: {}, timeout: {}, background: {}, bypass: {} } });
    expect(Object.keys(wait?.parameters['properties'] ?? {})).toEqual(['timeout']);
    expect(wait?.parameters).toMatchObject({ properties: { timeout: { type: 'string' } } });
  });
});
