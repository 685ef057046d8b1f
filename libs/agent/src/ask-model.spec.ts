import { AuthError, PartnerError, RateLimitError, RequestError, textResult, TransientError } from '#model';
import { AgentBench, FakeBackend, FakeClock, fakeCall, rolesOf, textsOf } from '#testkit';

const transient = () => new TransientError('fake: 503', { backend: 'fake', status: 503 });

it('every request of an agent says that it belongs to its conversation', async () => {
  const bench = new AgentBench({ answers: [{ calls: [fakeCall('c1', 'shell')] }, { text: 'done' }, { text: 'more' }] });
  await bench.prompt('hi');
  await bench.prompt('go on');
  expect(bench.backend.requests.map(({ conversation }) => conversation)).toEqual(Array(3).fill(bench.agent.id));
});

it('what a backend warns of is shown behind the answer, and is no part of it', async () => {
  const bench = new AgentBench({ answers: [{ reasoning: 'hm', text: 'hi', warning: 'the beginning was left out' }] });
  await bench.prompt('hello');
  expect(bench.lines.slice(-2)).toEqual(['hi', ':: the beginning was left out']);
  await bench.prompt('more');
  expect(textsOf(bench.backend.requests[1]?.messages)).toEqual(['hello', 'hi', 'more']);
});

describe('an answer that pauses', () => {
  const usage = { inputTokens: 1, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 1, costUSD: 0.5 };

  it('is sent back until it is whole, and is one message then', async () => {
    const bench = new AgentBench({
      answers: [
        { text: 'one ', stop: 'pause', usage },
        { text: 'two ', stop: 'pause', usage },
        { text: 'three', calls: [fakeCall('c1', 'shell')], usage },
      ],
    });
    await bench.prompt('hi');
    const [, second, third, last] = bench.backend.requests.map(({ messages }) => messages);
    expect([second, third].map(textsOf)).toEqual([
      ['hi', 'one '],
      ['hi', 'one two '],
    ]);
    expect(rolesOf(third)).toEqual(['user', 'assistant']);
    expect(rolesOf(last)).toEqual(['user', 'assistant', 'tool']);
    expect(textsOf(last)[1]).toBe('one two three');
    expect([bench.stat('totalRequests'), bench.stat('sessionCostUSD'), bench.stat('steps')]).toEqual(['4', '1.5', '2']);
  });

  it('and then breaks off is asked for anew, and its text is kept when that is given up', async () => {
    const refused = new RequestError('fake: 400', { backend: 'fake' });
    const bench = new AgentBench({
      answers: [{ text: 'one ', stop: 'pause' }, { fails: transient() }, { text: 'uno ', stop: 'pause' }, { text: 'due', fails: refused }],
    });
    await bench.prompt('hi');
    expect(bench.backend.requests.map(({ messages }) => textsOf(messages))).toEqual([['hi'], ['hi', 'one '], ['hi'], ['hi', 'uno ']]);
    await bench.prompt('go on');
    expect(textsOf(bench.backend.requests.at(-1)?.messages)).toEqual(['hi', 'uno due', 'go on']);
  });

  it('without end, or with nothing in it, ends the turn', async () => {
    const bench = new AgentBench({ answers: Array.from({ length: 40 }, () => ({ text: 'x', stop: 'pause' as const })) });
    await bench.prompt('hi');
    expect([bench.backend.requests.length, bench.lines.at(-1)]).toEqual([33, 'error: fake: the answer paused more than 32 times']);
    const empty = new AgentBench({ answers: Array.from({ length: 4 }, () => ({ stop: 'pause' as const })) });
    await empty.prompt('hi');
    expect(empty.lines.at(-1)).toBe('error: fake: empty answer');
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
    expect(bench.lines.at(-1)).toBe('done');
    expect(bench.blocks('state').map(({ role }) => role)).toEqual(['user', 'limitretry', 'assistant']);
  });

  it('that come before anybody was asked take none of the tries away', async () => {
    const early = { fails: new RateLimitError('fake: 429', { backend: 'fake', retryAfterMs: 1, unsent: true as const }) };
    const bench = new AgentBench({
      answers: [...Array.from({ length: 5 }, () => early), { text: 'x', fails: transient() }, { text: 'Hello' }],
    });
    await bench.prompt('hi');
    expect(bench.lines.at(-1)).toBe('Hello');
    expect(bench.chat).toMatch(/retrying in \ds \(1 of 3\)/);
  });

  it('of the connection are waited out, and the cut text is not kept twice', async () => {
    const bench = new AgentBench({ answers: [{ text: 'Hel', breaks: true }, { text: 'x', fails: transient() }, { text: 'Hello' }] });
    await bench.prompt('hi');
    expect(bench.blocks('state').map(({ role }) => role)).toEqual(['user', 'assistant', 'retry', 'assistant', 'retry', 'assistant']);
    await bench.prompt('more');
    expect(textsOf(bench.backend.requests.at(-1)?.messages)).toEqual(['hi', 'Hello', 'more']);
    expect(bench.clock instanceof FakeClock && bench.clock.sleeps.length).toBe(2);
  });

  it('end the turn after three retries, with the text that came kept for the next turn', async () => {
    const bench = new AgentBench({ answers: [1, 2, 3, 4].map((n) => ({ text: `part ${n}`, fails: transient() })) });
    await bench.prompt('hi');
    expect(bench.backend.requests).toHaveLength(4);
    expect(bench.lines.at(-1)).toBe('error: fake: 503');
    await bench.prompt('go on');
    expect(textsOf(bench.backend.requests[4]?.messages)).toEqual(['hi', 'part 4', 'go on']);
  });

  it('that will not pass end the turn at once', async () => {
    const quota = new RateLimitError('fake: quota used up', { backend: 'fake', kind: 'quota', retryAfterMs: 10 });
    for (const error of [new AuthError('fake: 401', { backend: 'fake' }), new RequestError('fake: 400', { backend: 'fake' }), quota]) {
      const bench = new AgentBench({ answers: [{ fails: error }] });
      await bench.prompt('hi');
      expect(bench.backend.requests).toHaveLength(1);
      expect(bench.lines.at(-1)).toBe(`error: ${error.message}`);
    }
  });

  it('with a Retry-After of more than a minute say when to try again', async () => {
    const error = new RateLimitError('fake: 429', { backend: 'fake', retryAfterMs: 3_600_000 });
    const bench = new AgentBench({ clock: new FakeClock(Date.UTC(2026, 0, 1)), answers: [{ fails: error }] });
    await bench.prompt('hi');
    expect(bench.lines.at(-1)).toBe('error: fake: 429 (try again after 2026-01-01T01:00:00.000Z)');
  });

  it('an empty answer is asked for once more, then it is an error', async () => {
    const bench = new AgentBench({ answers: [{ text: ' ' }, { reasoning: 'hm' }] });
    await bench.prompt('hi');
    expect(bench.backend.requests).toHaveLength(2);
    expect(bench.lines.at(-1)).toBe('error: fake: empty answer');
  });

  it('an answer that the provider refuses is an error, and its calls do not run', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [{ text: 'I', calls: [fakeCall('1', 'shell')], stop: 'content_filter' }],
    });
    await bench.prompt('hi');
    expect(bench.lines.at(-1)).toBe('error: fake: the answer was ended by the provider: content_filter');
    await bench.prompt('again');
    expect(rolesOf(bench.backend.requests[1]?.messages)).toEqual(['user', 'assistant', 'user']);
  });

  it('of the tool server to start end the turn, and the next turn tries again', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    bench.host.broken = new PartnerError('toolsrv: no helper');
    await bench.prompt('a');
    expect(bench.lines.at(-1)).toBe('error: i/o error: toolsrv: no helper');
    bench.host.broken = undefined;
    await bench.prompt('b');
    expect(bench.lines.at(-1)).toBe('done');
    expect(bench.host.connects).toBe(2);
  });

  it('a bug of the backend ends only the turn', async () => {
    const bench = new AgentBench({ answers: [{ fails: new TypeError('x is not a function') }] });
    await bench.prompt('hi');
    expect(bench.lines.at(-1)).toBe('error: internal error: x is not a function');
    await bench.prompt('again');
    expect(bench.lines.at(-1)).toBe('done');
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
    expect(textsOf(bench.backend.requests[1]?.messages.slice(2))).toEqual(['cancelled', 'finished', 'cancelled', 'on']);
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
