import { InterruptedError, textResult, TransientError } from '#model';
import { AgentBench, fakeCall, FakeClock } from '#testkit';

const never = new AbortController().signal;

describe('what can be read', () => {
  it('cfg has the contract keys in order, escaped', async () => {
    const profile = {
      autoLoad: ['a', 'b'],
      params: { temperature: 0.2, stop: ['x\t'], responseFormat: { type: 'json' }, verbosity: 'a\\b\n' },
    };
    const bench = new AgentBench({ profile, setup: { maxSteps: 7 } });
    const { id, identity } = bench.agent;
    expect(bench.agent.cfg()).toBe(
      [
        'state=idle',
        'action=',
        `session=${identity.sessionId}`,
        `id=${id}`,
        'name=bench',
        'agent=default',
        'backend=fake',
        'model=fake-1',
        'cwd=/project',
        'remote=',
        'maxSteps=7',
        'compactionModel=',
        'autoLoad=a,b',
        'feed=manual',
        'maxTokens=',
        'maxCompletionTokens=',
        'temperature=0.2',
        'topP=',
        'topK=',
        'minP=',
        'topA=',
        'frequencyPenalty=',
        'presencePenalty=',
        'repetitionPenalty=',
        'thinkingBudget=',
        'reasoningEffort=',
        'includeReasoning=',
        'responseFormat={"type":"json"}',
        'stop=["x\\\\t"]',
        'verbosity=a\\\\b\\n',
        '',
      ].join('\n'),
    );
  });

  it('stats counts tokens, requests, turns and steps, and shows a cost only when the provider reported one', async () => {
    const usage = { inputTokens: 10, cachedInputTokens: 5, cacheCreationTokens: 2, outputTokens: 3 };
    const bench = new AgentBench({
      tools: { shell: { run: () => ({ ...textResult('x'), sandbox: 'partial' }) } },
      answers: [
        { calls: [fakeCall('1', 'shell')], usage: { ...usage, costUSD: 0.01 } },
        { text: 'a', usage: { ...usage, costUSD: 0.0023 } },
        { text: 'b', usage },
      ],
    });
    expect(bench.agent.stats()).toContain('costKnown=false\ntotalInputTokens=0\n');
    expect(bench.stat('sandbox')).toBeUndefined();
    await bench.prompt('a');
    expect(bench.agent.stats().replace(/prefix=[0-9a-f]{6}\n/, 'prefix=3f9a1c\n')).toBe(
      [
        'sandbox=partial',
        'prefix=3f9a1c',
        'cachedShare=0.29',
        'costKnown=true',
        'totalInputTokens=20',
        'totalCachedInputTokens=10',
        'totalCacheCreationTokens=4',
        'totalOutputTokens=6',
        'totalRequests=2',
        'turnInputTokens=20',
        'turnOutputTokens=6',
        'lastTurnCostUSD=0.0123',
        'sessionCostUSD=0.0123',
        'contextTokens=20',
        'turns=1',
        'steps=2',
        'queued=0',
        'estimated=false',
        '',
      ].join('\n'),
    );
    await bench.prompt('b');
    expect(bench.stat('costKnown')).toBe('false');
    expect(bench.stat('lastTurnCostUSD')).toBeUndefined();
    expect(bench.stat('turnInputTokens')).toBe('10');
    expect(bench.blocks().filter((block) => block.role === 'usage')[0]?.content).toBe('input=10 cached=5 created=2 output=3 cost=0.01\n');
  });

  it('a request that nobody answered costs nothing, an answer without counts costs nobody knows what', async () => {
    const usage = { inputTokens: 1, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 1, costUSD: 0.01 };
    const refused = new TransientError('fake: 503', { backend: 'fake' });
    const bench = new AgentBench({ answers: [{ fails: refused }, { text: 'a', usage }, { text: 'b' }] });
    await bench.prompt('a');
    expect(bench.stat('costKnown')).toBe('true');
    await bench.prompt('b');
    expect(bench.stat('costKnown')).toBe('false');
  });

  it.each([
    [90, undefined],
    [91, '1970-01-01'],
  ])('a list of prices that is %i days old', async (days, shown) => {
    const bench = new AgentBench({ clock: new FakeClock(days * 86_400_000) });
    expect(bench.stat('pricesDate')).toBeUndefined();
    bench.catalog.date = '1970-01-01';
    expect(bench.stat('pricesDate')).toBe(shown);
    expect(bench.agent.stats()).not.toContain('undefined');
  });

  it('the sandbox is that of the newest tool that ran', async () => {
    const results = [{ ...textResult('x'), sandbox: 'full' as const }, textResult('x')];
    const bench = new AgentBench({
      tools: { shell: { run: () => results.shift() ?? textResult('x') } },
      answers: [{ calls: [fakeCall('1', 'shell'), fakeCall('2', 'shell')] }],
    });
    await bench.prompt('a');
    expect(bench.stat('sandbox')).toBe('full');
  });

  it('tools lists the loaded ones and connects for it, once', async () => {
    const bench = new AgentBench({ tools: { file_read: {}, shell: {} }, profile: { tools: ['file_*'], autoLoad: ['file_read', 'shell'] } });
    const [first, second] = await Promise.all([bench.agent.tools(never), bench.agent.tools(never)]);
    expect(first.map((tool) => tool.name)).toEqual(['file_read']);
    expect(second).toEqual(first);
    expect(bench.host.connects).toBe(1);
  });

  it('tools are those that the profile offers, whoever loaded more', async () => {
    const loaded = { file_read: {}, 'file.read': {}, filexread: {}, 'a+b': {}, ab: {}, a1: {}, a12: {} };
    const bench = new AgentBench({ tools: loaded, profile: { tools: ['file.*', 'a+b', 'a?'] } });
    await bench.agent.tools(never);
    const server = bench.host.servers.get(bench.agent.id);
    for (const tool of Object.keys(loaded)) await server?.load(tool, never);
    expect((await bench.agent.tools(never)).map((tool) => tool.name)).toEqual(['a+b', 'a1', 'ab', 'file.read']);
  });

  it('an agent without tools connects to nothing', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, profile: { tools: false }, answers: [{ calls: [fakeCall('1', 'shell')] }] });
    await bench.prompt('hi');
    await expect(bench.agent.tools(never)).resolves.toEqual([]);
    expect(bench.host.connects).toBe(0);
    expect(bench.backend.requests[0]?.tools).toEqual([]);
  });

  it('a tool to load that the host does not have shows in the chat, and the turn goes on', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, profile: { autoLoad: ['magic', 'shell'] } });
    await bench.prompt('hi');
    await bench.prompt('again');
    expect(bench.chat).toBe('user: hi\n:: tool not loaded: no such tool: magic\ndone\nuser: again\ndone\n');
    expect(bench.backend.requests[0]?.tools.map((tool) => tool.name)).toEqual(['shell']);
  });

  it('asks for all the tools of its profile at once', async () => {
    const bench = new AgentBench({ tools: { file_read: {}, shell: {} } });
    const order: string[] = [];
    const connect = bench.host.connect.bind(bench.host);
    bench.host.connect = async (id, signal) => {
      const server = await connect(id, signal);
      const load = server.load.bind(server);
      server.load = async (tool, stop) => {
        order.push(`ask ${tool}`);
        await load(tool, stop);
        order.push(`have ${tool}`);
      };
      return server;
    };
    await bench.prompt('hi');
    expect(order).toEqual(['ask file_read', 'ask shell', 'have file_read', 'have shell']);
  });

  it('the process table has padded columns, only what runs, and starts no tool server', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    await expect(bench.agent.processTable(never)).resolves.toBe('PID TOOL CMD\n');
    expect(bench.host.connects).toBe(0);
    await bench.agent.tools(never);
    const server = bench.host.servers.get(bench.agent.id);
    if (server)
      server.background = [
        { pid: 7, state: 'running', tool: 'shell', command: 'go test\n./...' },
        { pid: 8, state: 'exited', tool: 'shell', command: 'x' },
        { pid: 1234, state: 'running', tool: 'sh', command: 'y' },
      ];
    await expect(bench.agent.processTable(never)).resolves.toBe(
      ['PID  TOOL  CMD', '7    shell go test ./...', '1234 sh    y', ''].join('\n'),
    );
  });

  it('a request for tools can be given up while the tool server starts; the start goes on for the next', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    const abort = new AbortController();
    const asked = bench.agent.tools(abort.signal);
    abort.abort(new InterruptedError());
    await expect(asked).rejects.toBeInstanceOf(InterruptedError);
    await expect(bench.agent.tools(never)).resolves.toHaveLength(1);
    expect(bench.host.connects).toBe(1);
  });
});
