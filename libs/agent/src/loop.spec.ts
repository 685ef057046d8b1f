import { textResult, type Usage } from '#model';
import { AgentBench, FakeBackend, fakeCall, rolesOf, textsOf } from '#testkit';

const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheCreationTokens: 0,
  outputTokens,
});

describe('a turn', () => {
  it('streams the answer, runs the calls, sends the results and ends with the answer that calls nothing', async () => {
    const bench = new AgentBench({
      tools: { shell: { run: () => textResult('a.ts\nb.ts\n') } },
      answers: [
        {
          responseId: 'r1',
          reasoning: 'hm',
          text: ["I'll", ' look.'],
          calls: [fakeCall('c1', 'shell', { cmd: 'ls' })],
          usage: usage(10, 2),
        },
        { responseId: 'r2', text: 'Two files.', usage: usage(20, 3) },
      ],
    });
    await bench.prompt('list');
    expect(bench.chat).toBe('user: list\nI\'ll look.\n-> shell({"cmd":"ls"})\n<- shell 2 lines\nTwo files.\n');
    expect(bench.roles).toEqual(['state', 'user', 'reasoning', 'assistant', 'usage', 'call', 'tool', 'assistant', 'usage', 'state']);
    const [, , assistant, , call, tool] = bench.blocks('state');
    expect(assistant).toMatchObject({ content: "I'll look.", attributes: { resp: 'r1', format: 'markdown' } });
    expect(call).toMatchObject({ content: '{"cmd":"ls"}', attributes: { name: 'shell', call: 'c1' } });
    expect(tool).toMatchObject({ content: 'a.ts\nb.ts\n', attributes: { name: 'shell', call: 'c1', error: 'false', tier: 'hot' } });
    expect(bench.backend.requests.map(({ messages }) => rolesOf(messages))).toEqual([['user'], ['user', 'assistant', 'tool']]);
    expect(bench.backend.requests[1]?.messages[2]).toMatchObject({ toolCallId: 'c1', toolName: 'shell', isError: false });
  });

  it('gives the model the system prompt, the parameters and the loaded tools', async () => {
    const bench = new AgentBench({
      tools: { shell: { info: { description: 'Runs a command' } }, other: {} },
      profile: { autoLoad: ['shell'], params: { temperature: 0.2 } },
    });
    await bench.prompt('hi');
    expect(bench.backend.requests[0]).toMatchObject({
      model: 'fake-1',
      params: { temperature: 0.2 },
      tools: [{ name: 'shell', description: 'Runs a command', parameters: { type: 'object' } }],
    });
    expect(bench.backend.requests[0]?.system).toContain('You are a bench.');
  });

  it('sends what it has been told before, whole and in order', async () => {
    const bench = new AgentBench({ answers: [{ text: 'one' }, { text: 'two' }] });
    await bench.prompt('a');
    await bench.prompt('b');
    expect(textsOf(bench.backend.requests[1]?.messages)).toEqual(['a', 'one', 'b']);
  });

  it('says that an answer was cut at the output limit', async () => {
    const bench = new AgentBench({ answers: [{ text: 'Once upon', stop: 'length' }] });
    await bench.prompt('tell');
    expect(bench.chat).toBe('user: tell\nOnce upon\n:: the answer was cut at the output limit\n');
  });

  it('gives replay blocks back where they stood', async () => {
    const block = { type: 'replay' as const, provider: 'fake', model: 'fake-1', data: 'signed' };
    const backend = new FakeBackend();
    const stream = backend.stream.bind(backend);
    backend.stream = async function* (request, signal) {
      yield { type: 'text', text: 'a' };
      yield { type: 'replay', block };
      yield* stream(request, signal);
    };
    const bench = new AgentBench({ backends: [backend] });
    await bench.prompt('1');
    await bench.prompt('2');
    expect(backend.requests[1]?.messages[1]?.content).toEqual([{ type: 'text', text: 'a' }, block, { type: 'text', text: 'done' }]);
  });
});

describe('the tools of a turn', () => {
  it('are read again only when the revision changed', async () => {
    const bench: AgentBench = new AgentBench({
      tools: { shell: { run: ({ id }) => (id === '2' ? load() : textResult('x')) }, extra: {} },
      profile: { autoLoad: ['shell'] },
      answers: ['1', '2', '3'].map((id) => ({ calls: [fakeCall(id, 'shell')] })),
    });
    const load = async () => {
      await bench.host.servers.get(bench.agent.id)?.load('extra', new AbortController().signal);
      return textResult('loaded');
    };
    await bench.prompt('go');
    expect(bench.backend.requests.map(({ tools }) => tools.map((tool) => tool.name).join())).toEqual([
      'shell',
      'shell',
      'extra,shell',
      'extra,shell',
    ]);
    expect(bench.host.servers.get(bench.agent.id)?.listings).toBe(2);
  });

  it('are read for each request while the revision is unknown', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    await bench.prompt('warm up');
    const server = bench.host.servers.get(bench.agent.id);
    if (server) server.rev = 0;
    const before = server?.listings ?? 0;
    await bench.prompt('a');
    await bench.prompt('b');
    expect(server?.listings).toBe(before + 2);
  });
});

describe('the step limit', () => {
  const calling = [1, 2, 3, 4].map((n) => ({ text: `step ${n}`, calls: [fakeCall(`c${n}`, 'shell')] }));

  it('ends softly: the model is told and answers once more', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      profile: { maxSteps: 2 },
      answers: [...calling.slice(0, 2), { text: 'So far.' }],
    });
    await bench.prompt('go');
    expect(bench.chat).toContain(':: step limit reached (2)\nSo far.\n');
    expect(textsOf(bench.backend.requests[2]?.messages).at(-1)).toBe('[system] No more tools.');
    expect(bench.backend.requests[2]?.tools).toHaveLength(1);
  });

  it('gives the last text there was, also when the last answer only calls', async () => {
    const answers = [calling[0] ?? {}, { calls: [fakeCall('c2', 'shell')] }];
    const bench = new AgentBench({ tools: { shell: {} }, profile: { maxSteps: 1 }, answers });
    await expect(bench.agent.run('go', new AbortController().signal)).resolves.toBe('step 1');
  });

  it('leaves calls of the last answer unrun but answered', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, profile: { maxSteps: 9 }, setup: { maxSteps: 2 }, answers: calling });
    await bench.prompt('go');
    expect(bench.backend.requests).toHaveLength(3);
    expect([...bench.host.servers.values()][0]?.calls).toHaveLength(2);
    await bench.prompt('on');
    expect(rolesOf(bench.backend.requests[3]?.messages).slice(-3)).toEqual(['assistant', 'tool', 'user']);
  });
});
