import { RequestError } from '#model';
import { AgentBench, eventually, fakeCall } from '#testkit';
import type { Client } from '#virtfs';

const shell: Client = { role: 'user', uname: 'u', aname: '', tag: '100.1', leader: '100' };
const NEVER = new AbortController().signal;

describe('an agent tells the bus', () => {
  it('its states and what it does in them, the length of its chat and its use of tokens', async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 2, cacheCreationTokens: 0, outputTokens: 3 };
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [{ calls: [fakeCall('1', 'shell'), fakeCall('2', 'shell')] }, { text: ['one ', 'two'], usage }],
    });
    await bench.prompt('hi', shell);
    expect(bench.events.of('agent.state')).toEqual([
      { state: 'running', action: '' },
      { state: 'running', action: 'thinking' },
      { state: 'running', action: 'calling: shell' },
      { state: 'running', action: 'thinking' },
      { state: 'idle', action: '' },
    ]);
    expect(bench.events.of('agent.chat').at(-1)).toEqual({ offset: bench.chat.length });
    const offsets = bench.events.of('agent.chat').map(({ offset }) => Number(offset));
    expect(offsets).toEqual([...new Set(offsets)].sort((a, b) => a - b));
    expect(bench.events.of('agent.usage').at(-1)).toMatchObject({ totalInputTokens: 10, totalOutputTokens: 3 });
    expect(bench.events.published.at(-1)).toMatchObject({
      topic: 'agent.state',
      subject: { session: bench.agent.identity.sessionId, agent: bench.agent.id },
    });
    expect(bench.events.marks).toEqual([shell]);
  });

  it('its errors, in a form that a terminal may show', async () => {
    const failure = { fails: new RequestError('gone\u001b[2J', { backend: 'fake' }) };
    const bench = new AgentBench({ answers: [failure] });
    await bench.prompt('hi');
    const [error] = bench.events.of('error');
    expect(error?.text).toContain('gone\\x1b[2J');
  });

  it('its background processes, from their start to their end', async () => {
    const bench = new AgentBench({
      tools: { shell: { info: { background: true } } },
      answers: [{ calls: [fakeCall('1', 'shell', { cmd: 'make', background: true })] }],
    });
    await bench.prompt('build');
    expect(bench.events.of('proc.started')).toEqual([{ pid: 1, tool: 'shell', cmd: 'make' }]);
    expect(bench.events.of('proc.exited')).toEqual([]);
    [...bench.host.servers.values()][0]?.started[0]?.end({ exitCode: 2 });
    await eventually(() => bench.events.of('proc.exited').length > 0);
    expect(bench.events.of('proc.exited')).toEqual([{ pid: 1, exit: '2' }]);
  });
});

describe('a change of its tools', () => {
  it('is told once it is made', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    await bench.agent.tools(NEVER);
    await bench.agent.hands.unload('shell', NEVER);
    await bench.agent.hands.load('shell', NEVER);
    expect(bench.events.of('tools.changed')).toEqual([
      { tool: 'shell', loaded: false },
      { tool: 'shell', loaded: true },
    ]);
  });
});

describe('a question of an agent', () => {
  it('is put before the user, and gives the answer', async () => {
    const bench = new AgentBench();
    bench.desk.observe(async () => ({ decision: 'approved', by: 'me', scope: 'once', answer: 'blue' }));
    expect(await bench.agent.ask('Which colour?', NEVER)).toBe('blue');
    expect(bench.desk.asked).toMatchObject([
      { kind: 'question', agent: bench.agent.id, session: bench.agent.identity.sessionId, command: 'Which colour?', cwd: '/project' },
    ]);
  });

  it('fails when nobody is there, somebody refuses, or nobody answers', async () => {
    const bench = new AgentBench();
    await expect(bench.agent.ask('Now?', NEVER)).rejects.toThrow('permission denied: no observer');
    bench.desk.observe(async () => ({ decision: 'rejected', by: 'me', text: 'find out yourself' }));
    await expect(bench.agent.ask('Now?', NEVER)).rejects.toThrow('permission denied: find out yourself');
    bench.desk.observe(async () => ({ decision: 'timed out', afterMs: 300_000 }));
    await expect(bench.agent.ask('Now?', NEVER)).rejects.toThrow('timed out: no answer after 300s');
    bench.desk.observe(async () => ({ decision: 'withdrawn' }));
    await expect(bench.agent.ask('Now?', NEVER)).rejects.toThrow('interrupted');
    await expect(bench.agent.ask('', NEVER)).rejects.toThrow('illegal argument: ask needs text');
    bench.desk.observe(
      (_request, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ decision: 'withdrawn' }))),
    );
    const asked = bench.agent.ask('Still there?', NEVER);
    void bench.agent.kill();
    await expect(asked).rejects.toThrow('interrupted');
    expect(() => bench.agent.ask('Now?', NEVER)).toThrow('no such agent');
  });
});
