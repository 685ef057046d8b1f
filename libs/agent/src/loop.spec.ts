import {
  AuthError,
  PartnerError,
  RateLimitError,
  RequestError,
  textResult,
  TransientError,
  type Message,
  type ToolResult,
  type Usage,
} from '#model';
import { AgentBench, FakeBackend, FakeClock, fakeCall } from '#testkit';

const usage = (inputTokens: number, outputTokens: number): Usage => ({
  inputTokens,
  cachedInputTokens: 0,
  cacheCreationTokens: 0,
  outputTokens,
});
const rolesOf = (messages: readonly Message[]) => messages.map((message) => message.role);
const textsOf = (messages: readonly Message[]) =>
  messages.map((message) => message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
const transient = () => new TransientError('fake: 503', { backend: 'fake', status: 503 });
const chatLines = (bench: AgentBench) => bench.chat.trimEnd().split('\n');

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
    expect(textsOf(bench.backend.requests[1]?.messages ?? [])).toEqual(['a', 'one', 'b']);
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

describe('tool calls', () => {
  it('run one after the other, and neighbours that only read side by side with results in call order', async () => {
    const order: string[] = [];
    const slowFirst = async (id: string): Promise<ToolResult> => {
      for (let turns = id === 'r1' ? 20 : 1; turns > 0; turns -= 1) await Promise.resolve();
      order.push(id);
      return textResult(id);
    };
    const bench = new AgentBench({
      tools: {
        read: { info: { parallel: 'read' }, run: ({ id }) => slowFirst(id) },
        write: { run: ({ id }) => slowFirst(id) },
      },
      answers: [{ calls: [...['r1', 'r2', 'w1'].map((id) => fakeCall(id, id[0] === 'r' ? 'read' : 'write')), fakeCall('r3', 'read')] }],
    });
    await bench.prompt('go');
    expect(order).toEqual(['r2', 'r1', 'w1', 'r3']);
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2) ?? [])).toEqual(['r1', 'r2', 'w1', 'r3']);
    expect(bench.blocks('usage', 'state').map((block) => block.role + (block.attributes.call ?? ''))).toEqual([
      'user',
      'callr1',
      'callr2',
      'toolr1',
      'toolr2',
      'callw1',
      'toolw1',
      'callr3',
      'toolr3',
      'assistant',
    ]);
    expect([...bench.host.servers.values()][0]?.mostActive).toBe(2);
  });

  it('run at most eight reads at a time', async () => {
    const bench = new AgentBench({
      tools: { read: { info: { parallel: 'read' } } },
      answers: [{ calls: Array.from({ length: 20 }, (_, index) => fakeCall(`r${index}`, 'read')) }],
    });
    await bench.prompt('go');
    expect([...bench.host.servers.values()][0]?.mostActive).toBe(8);
  });

  it('to a tool that is not loaded and with arguments that did not parse become error results', async () => {
    const broken = { ...fakeCall('c2', 'shell'), rawArguments: '{"cmd":', argumentsError: 'Unexpected end' };
    const bench = new AgentBench({ tools: { shell: {} }, answers: [{ calls: [fakeCall('c1', 'magic'), broken] }] });
    await bench.prompt('go');
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2) ?? [])).toEqual([
      'tool not loaded: magic',
      'invalid arguments: Unexpected end',
    ]);
    expect(chatLines(bench).slice(1, 5)).toEqual(['-> magic({})', '<- magic 1 lines error', '-> shell({"cmd":)', '<- shell 1 lines error']);
    expect([...bench.host.servers.values()][0]?.calls).toEqual([]);
  });

  it('with repeated or missing ids and impossible names can be sent back', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [{ calls: [fakeCall('x', 'shell'), fakeCall('x', 'shell'), fakeCall('', 'a.b c'), fakeCall('', '')] }],
    });
    await bench.prompt('go');
    const [, assistant] = bench.backend.requests[1]?.messages ?? [];
    const calls = assistant?.role === 'assistant' ? assistant.toolCalls : [];
    expect(new Set(calls.map((call) => call.id)).size).toBe(4);
    expect(calls.map((call) => call.name)).toEqual(['shell', 'shell', 'a_b_c', 'unnamed']);
    expect(calls.every((call) => call.id !== '')).toBe(true);
  });

  it('give the model at most 32 KiB, and words for no output', async () => {
    const big = 'x'.repeat(100_000);
    const image = { type: 'image' as const, mimeType: 'image/png', data: 'AAAA' };
    const bench = new AgentBench({
      tools: {
        big: { run: () => textResult(big) },
        silent: { run: () => textResult('') },
        picture: { run: () => ({ content: [image], isError: false }) },
      },
      answers: [{ calls: [fakeCall('1', 'big'), fakeCall('2', 'silent'), fakeCall('3', 'picture')] }],
    });
    await bench.prompt('go');
    const results = bench.backend.requests[1]?.messages.slice(2) ?? [];
    expect(textsOf(results)[0]?.length).toBeLessThanOrEqual(32_768);
    expect(textsOf(results)[0]).toContain('bytes left out');
    expect(results.slice(1).map((message) => message.content)).toEqual([[{ type: 'text', text: '(no output)' }], [image]]);
    expect(chatLines(bench)).toContain('<- silent 0 lines');
    expect(bench.blocks().at(-3)?.content ?? '').toContain('[image/png, 3 bytes]');
  });

  it('of an answer that was cut at the output limit do not run', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, answers: [{ calls: [fakeCall('1', 'shell')], stop: 'length' }, { text: 'ok' }] });
    await bench.prompt('go');
    expect([...bench.host.servers.values()][0]?.calls).toEqual([]);
    expect(textsOf(bench.backend.requests[1]?.messages ?? [])[2]).toContain('cut at the output limit');
    expect(chatLines(bench).at(-1)).toBe('ok');
  });

  it('go on after a lost connection, with the next call on a new one', async () => {
    const bench: AgentBench = new AgentBench({
      tools: { shell: { run: ({ id }) => (id === '1' ? loseAndHang() : textResult('fine')) } },
      answers: [{ calls: [fakeCall('1', 'shell')] }, { calls: [fakeCall('2', 'shell')] }],
    });
    const loseAndHang = () => {
      queueMicrotask(() => bench.host.servers.get(bench.agent.id)?.lose());
      return new Promise<ToolResult>(() => undefined);
    };
    await bench.prompt('go');
    expect(textsOf(bench.backend.requests[2]?.messages ?? []).filter((_, index) => [2, 4].includes(index))).toEqual([
      'toolsrv connection lost',
      'fine',
    ]);
  });

  it('that hit a bug of the tool server end the turn with every call answered, and the next turn goes on', async () => {
    const bench = new AgentBench({
      tools: { shell: { run: () => Promise.reject(new RangeError('bug')) } },
      answers: [{ calls: [fakeCall('1', 'shell'), fakeCall('2', 'shell')] }],
    });
    await bench.prompt('go');
    expect(chatLines(bench).at(-1)).toBe('error: internal error: bug');
    await bench.prompt('again');
    expect(rolesOf(bench.backend.requests[1]?.messages ?? [])).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });
});

describe('an interrupt', () => {
  it('starts no further call and keeps what finished beside the one that was cut off', async () => {
    const bench: AgentBench = new AgentBench({
      tools: { read: { info: { parallel: 'read' } }, shell: {} },
      answers: [{ calls: [fakeCall('1', 'read'), fakeCall('2', 'read'), fakeCall('3', 'shell')] }],
    });
    await bench.agent.tools(new AbortController().signal);
    const started: string[] = [];
    const server = bench.host.servers.get(bench.agent.id);
    if (server === undefined) throw new Error('no tool server');
    server.call = async ({ id }, signal) => {
      started.push(id);
      if (id === '2') return textResult('finished');
      void bench.agent.stop();
      await Promise.resolve();
      throw signal.reason;
    };
    await bench.prompt('go');
    expect(started).toEqual(['1', '2']);
    await bench.prompt('on');
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2) ?? [])).toEqual(['cancelled', 'finished', 'cancelled', 'on']);
  });

  it('in the last round is no step limit', async () => {
    const bench: AgentBench = new AgentBench({
      tools: { shell: { run: () => stopAndAnswer() } },
      profile: { maxSteps: 1 },
      answers: [{ calls: [fakeCall('1', 'shell')] }],
    });
    const stopAndAnswer = () => {
      void bench.agent.stop();
      return textResult('x');
    };
    await bench.prompt('go');
    expect(bench.blocks('state', 'usage').map(({ role }) => role)).toEqual(['user', 'call', 'tool', 'info']);
  });

  it('is none of the failures that are waited out, whatever the backend makes of it', async () => {
    const backend = new FakeBackend();
    backend.stream = async function* (_request, signal) {
      yield { type: 'text', text: 'x' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw transient();
    };
    const bench = new AgentBench({ backends: [backend] });
    bench.agent.submit('go');
    while (!bench.chat.includes('x')) await Promise.resolve();
    await bench.agent.stop();
    expect(bench.blocks('state').map(({ role }) => role)).toEqual(['user', 'assistant', 'info']);
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

describe('failures', () => {
  it('that may pass are waited out, announced before each wait', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock, answers: [{ fails: new RateLimitError('fake: 429', { backend: 'fake', retryAfterMs: 1000 }) }] });
    bench.agent.submit('hi');
    while (clock.sleeping === 0) await Promise.resolve();
    expect(bench.chat).toContain(':: rate limited by fake, retrying in ');
    expect(bench.cfg('action')).toBe('limitretry');
    expect(bench.backend.requests).toHaveLength(1);
    clock.advance(1200);
    await bench.idle();
    expect(chatLines(bench).at(-1)).toBe('done');
    expect(bench.blocks('state').map(({ role }) => role)).toEqual(['user', 'limitretry', 'assistant']);
  });

  it('of the connection are waited out, and the cut text is not kept twice', async () => {
    const bench = new AgentBench({ answers: [{ text: 'Hel', breaks: true }, { text: 'x', fails: transient() }, { text: 'Hello' }] });
    await bench.prompt('hi');
    expect(bench.blocks('state').map(({ role }) => role)).toEqual(['user', 'assistant', 'retry', 'assistant', 'retry', 'assistant']);
    await bench.prompt('more');
    expect(textsOf(bench.backend.requests.at(-1)?.messages ?? [])).toEqual(['hi', 'Hello', 'more']);
    expect(bench.clock instanceof FakeClock && bench.clock.sleeps.length).toBe(2);
  });

  it('end the turn after three retries, with the text that came kept for the next turn', async () => {
    const bench = new AgentBench({ answers: [1, 2, 3, 4].map((n) => ({ text: `part ${n}`, fails: transient() })) });
    await bench.prompt('hi');
    expect(bench.backend.requests).toHaveLength(4);
    expect(chatLines(bench).at(-1)).toBe('error: fake: 503');
    await bench.prompt('go on');
    expect(textsOf(bench.backend.requests[4]?.messages ?? [])).toEqual(['hi', 'part 4', 'go on']);
  });

  it('that will not pass end the turn at once', async () => {
    const quota = new RateLimitError('fake: quota used up', { backend: 'fake', kind: 'quota', retryAfterMs: 10 });
    for (const error of [new AuthError('fake: 401', { backend: 'fake' }), new RequestError('fake: 400', { backend: 'fake' }), quota]) {
      const bench = new AgentBench({ answers: [{ fails: error }] });
      await bench.prompt('hi');
      expect(bench.backend.requests).toHaveLength(1);
      expect(chatLines(bench).at(-1)).toBe(`error: ${error.message}`);
    }
  });

  it('with a Retry-After of more than a minute say when to try again', async () => {
    const error = new RateLimitError('fake: 429', { backend: 'fake', retryAfterMs: 3_600_000 });
    const bench = new AgentBench({ clock: new FakeClock(Date.UTC(2026, 0, 1)), answers: [{ fails: error }] });
    await bench.prompt('hi');
    expect(chatLines(bench).at(-1)).toBe('error: fake: 429 (try again after 2026-01-01T01:00:00.000Z)');
  });

  it('an empty answer is asked for once more, then it is an error', async () => {
    const bench = new AgentBench({ answers: [{ text: ' ' }, { reasoning: 'hm' }] });
    await bench.prompt('hi');
    expect(bench.backend.requests).toHaveLength(2);
    expect(chatLines(bench).at(-1)).toBe('error: fake: empty answer');
  });

  it('an answer that the provider refuses is an error, and its calls do not run', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [{ text: 'I', calls: [fakeCall('1', 'shell')], stop: 'content_filter' }],
    });
    await bench.prompt('hi');
    expect(chatLines(bench).at(-1)).toBe('error: fake: the answer was ended by the provider: content_filter');
    await bench.prompt('again');
    expect(rolesOf(bench.backend.requests[1]?.messages ?? [])).toEqual(['user', 'assistant', 'user']);
  });

  it('of the tool server to start end the turn, and the next turn tries again', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    bench.host.broken = new PartnerError('toolsrv: no helper');
    await bench.prompt('a');
    expect(chatLines(bench).at(-1)).toBe('error: i/o error: toolsrv: no helper');
    bench.host.broken = undefined;
    await bench.prompt('b');
    expect(chatLines(bench).at(-1)).toBe('done');
    expect(bench.host.connects).toBe(2);
  });

  it('a bug of the backend ends only the turn', async () => {
    const bench = new AgentBench({ answers: [{ fails: new TypeError('x is not a function') }] });
    await bench.prompt('hi');
    expect(chatLines(bench).at(-1)).toBe('error: internal error: x is not a function');
    await bench.prompt('again');
    expect(chatLines(bench).at(-1)).toBe('done');
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
    expect(textsOf(bench.backend.requests[2]?.messages ?? []).at(-1)).toBe('[system] No more tools.');
    expect(bench.backend.requests[2]?.tools).toHaveLength(1);
  });

  it('leaves calls of the last answer unrun but answered', async () => {
    const bench = new AgentBench({ tools: { shell: {} }, profile: { maxSteps: 9 }, setup: { maxSteps: 2 }, answers: calling });
    await bench.prompt('go');
    expect(bench.backend.requests).toHaveLength(3);
    expect([...bench.host.servers.values()][0]?.calls).toHaveLength(2);
    await bench.prompt('on');
    expect(rolesOf(bench.backend.requests[3]?.messages ?? []).slice(-3)).toEqual(['assistant', 'tool', 'user']);
  });
});
