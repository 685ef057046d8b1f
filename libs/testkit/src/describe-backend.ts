import { getEventListeners } from 'node:events';
import {
  AbortedError,
  AuthError,
  ContextOverflowError,
  RateLimitError,
  RequestError,
  ToolUnsupportedError,
  TransientError,
  userText,
  type Backend,
  type BackendError,
  type JsonObject,
  type Message,
  type ModelRequest,
  type StreamEvent,
  type ToolCall,
  type Usage,
} from '#model';

/** A backend whose model `conformance` plays the given script, and which gives up after about a second of silence. */
export interface BackendFixture {
  readonly backend: Backend;
  /** Answers that the other side still has under way. */
  readonly active?: () => number;
  close(): Promise<void>;
}

/** A case that the wire of a provider has no form for. */
type Unsayable = 'arguments that are not JSON';

/** What every backend promises, whatever is behind it. `make` gets a script in the shape of the scripted backend. */
export function describeBackend(
  name: string,
  make: (script: JsonObject) => Promise<BackendFixture>,
  unsayable: readonly Unsayable[] = [],
): void {
  describe(`${name} keeps the promises of a backend:`, () => {
    let fixture: BackendFixture;

    beforeAll(async () => {
      fixture = await make(CONFORMANCE);
    });
    afterAll(async () => await fixture.close());

    const reply = async (...messages: readonly Message[]): Promise<Reply> =>
      await collect(fixture.backend.stream(requestOf(messages), never()));
    const failing = async (prompt: string): Promise<BackendError> =>
      await failure(fixture.backend.stream(requestOf([userText(prompt)]), never()));
    const quiet = async (): Promise<void> => await until(() => (fixture.active?.() ?? 0) === 0);

    it('text comes in deltas, and `done` is last', async () => {
      const { events, text } = await reply(userText('long'));
      expect(text).toBe(`[scripted] ${LONG}`);
      expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(3);
      expect(events.at(-1)).toMatchObject({ type: 'done', stop: 'stop' });
    });

    it('text of every script of the world stays whole', async () => {
      expect((await reply(userText('world'))).text).toBe(`[scripted] ${WORLD}`);
    });

    it('reasoning comes apart from text', async () => {
      const { events, text } = await reply(userText('think'));
      expect(events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('')).toBe('hm, let me see');
      expect(text).toBe('[scripted] I see');
    });

    it('a tool call goes out whole and its result comes back', async () => {
      const { calls, stop } = await reply(userText('call'));
      expect(stop).toBe('tool_calls');
      expect(calls).toMatchObject([{ name: 'shell', arguments: { cmd: 'echo "ä\\n"' } }]);
      const answered = await reply(userText('call'), assistant('', calls), ...calls.map((call) => result(call, 'forty-two')));
      expect(answered.text).toBe('[scripted] it said forty-two');
    });

    it('several calls keep their order and have ids of their own', async () => {
      const { calls } = await reply(userText('three'));
      expect(calls.map(({ arguments: given }) => given)).toEqual([{ n: 1 }, { n: 2 }, {}]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(3);
    });

    it('arguments that are not JSON are marked, with their text, or make the answer one to be asked for again', async () => {
      if (unsayable.includes('arguments that are not JSON')) {
        expect((await failing('broken')).retryable).toBe(true);
        return;
      }
      const { calls } = await reply(userText('broken'));
      expect(calls).toMatchObject([{ name: 'shell', rawArguments: '{"cmd": ls', arguments: {} }]);
      expect(calls[0]?.argumentsError).toEqual(expect.any(String));
    });

    it('a stop at the length limit gives no call', async () => {
      const { calls, stop } = await reply(userText('length'));
      expect([calls, stop]).toEqual([[], 'length']);
    });

    it('usage counts what was read from the cache apart', async () => {
      const first = await reply(userText('usage'));
      const second = await reply(userText('usage'), assistant(first.text, []), userText('usage again'));
      expect(first.usage?.outputTokens).toBeGreaterThan(0);
      expect(second.usage?.cachedInputTokens).toBeGreaterThan(0);
      expect(second.usage?.inputTokens).toBeGreaterThan(0);
    });

    it('calls at the same time do not mix', async () => {
      const words = Array.from({ length: 20 }, (_, i) => `word-${i}`);
      const replies = await Promise.all(words.map(async (word) => await reply(userText(`echo ${word}`))));
      expect(replies.map(({ text }) => text)).toEqual(words.map((word) => `[scripted] ${word}`));
    });

    it('an abort before the call sends nothing', async () => {
      const error = await failure(fixture.backend.stream(requestOf([userText('long')]), AbortSignal.abort()));
      expect(error).toBeInstanceOf(AbortedError);
    });

    it('an abort ends the wait for the first text at once', async () => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 50);
      const started = performance.now();
      const error = await failure(fixture.backend.stream(requestOf([userText('slow')]), controller.signal));
      expect(error).toBeInstanceOf(AbortedError);
      expect(performance.now() - started).toBeLessThan(2_000);
      await quiet();
    });

    it('an abort in the middle keeps what came before and closes', async () => {
      const controller = new AbortController();
      const seen: StreamEvent[] = [];
      const error = await failure(
        abortingAtText(fixture.backend.stream(requestOf([userText('drip')]), controller.signal), seen, controller),
      );
      expect(error).toBeInstanceOf(AbortedError);
      expect(seen.some(({ type }) => type === 'text')).toBe(true);
      expect(seen.some(({ type }) => type === 'done')).toBe(false);
      await quiet();
    });

    it('a consumer that stops reading closes the connection', async () => {
      const signal = never();
      for await (const event of fixture.backend.stream(requestOf([userText('stall')]), signal)) {
        if (event.type === 'text') break; // the other side says no more, and would hold the connection for ever
      }
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      await quiet();
      expect((await reply(userText('echo on'))).text).toBe('[scripted] on');
    });

    it.each(FAILURES)('failure: %s', async (prompt, Class, facts) => {
      const error = await failing(prompt);
      expect(error).toBeInstanceOf(Class);
      expect({ retryable: error.retryable, ...error.failure }).toMatchObject(facts);
    });

    it('the same request may be sent again after a failure', async () => {
      expect(await failing('flaky')).toBeInstanceOf(TransientError);
      expect((await reply(userText('flaky'))).text).toBe('[scripted] now it works');
    });

    it('a connection that breaks is no end: what came stays, calls are not given', async () => {
      const seen: StreamEvent[] = [];
      const error = await failure(recording(fixture.backend.stream(requestOf([userText('cut')]), never()), seen));
      expect([error.constructor, error.failure.kind]).toEqual([TransientError, 'stream_drop']);
      expect(seen.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe('[scripted] half of');
      expect(seen.some(({ type }) => type === 'toolCall')).toBe(false);
    });

    it('silence ends as a failure that may be retried', async () => {
      const error = await failing('stall');
      expect([error.constructor, error.failure.kind]).toEqual([TransientError, 'idle']);
      await quiet();
    });

    it('models are listed, and cached until they are invalidated', async () => {
      const models = await fixture.backend.models(never());
      expect(models).toMatchObject([{ id: 'conformance', contextLength: 100_000 }]);
      expect(await fixture.backend.models(never())).toBe(models);
      fixture.backend.invalidate();
      expect(await fixture.backend.models(never())).not.toBe(models);
    });
  });
}

const LONG = 'all work and no play makes a dull script, '.repeat(8);
const WORLD = 'Zoë 北京 🌍👩‍🔧 — "quoted" \\ back\nnew line\ttab';

const say = (prompt: string, more: JsonObject): JsonObject => ({ when: { lastUser: `/^${prompt}$/` }, ...more });
const fail = (prompt: string, status: number, message: string, more: JsonObject = {}): JsonObject =>
  say(prompt, { fail: { times: 1_000_000, status, body: { error: { message, type: 'x', code: null } }, ...more } });

const CONFORMANCE: JsonObject = {
  order: 'any',
  contextLength: 100_000,
  steps: [
    { when: { lastTool: { name: 'shell' } }, say: 'it said {{tool}}' },
    say('long', { say: LONG }),
    say('world', { say: WORLD }),
    say('think', { think: 'hm, let me see', say: 'I see' }),
    say('call', { calls: [{ tool: 'shell', args: { cmd: 'echo "ä\\n"' } }] }),
    say('three', { calls: [{ tool: 'shell', args: { n: 1 } }, { tool: 'shell', args: { n: 2 } }, { tool: 'shell' }] }),
    say('broken', { calls: [{ tool: 'shell', raw: '{"cmd": ls' }] }),
    say('length', { say: 'cut sh', calls: [{ tool: 'shell', args: { cmd: 'rm' } }], stop: 'length' }),
    say('usage.*', { say: 'counted' }),
    say('echo (.*)', { say: '{{user.1}}' }),
    say('slow', { say: 'late', stream: { delayMs: 60_000 } }),
    say('drip', { say: LONG, stream: { chunk: 4, delayMs: 500 } }), // lasts longer than any test waits
    say('flaky', { say: 'now it works', fail: { times: 1, status: 503 } }),
    say('cut', { say: 'half of the answer', calls: [{ tool: 'shell' }], fail: { times: 1_000_000, cutAfter: 18 } }),
    say('stall', { say: 'wait for it', fail: { times: 1_000_000, stallAfter: 12 } }),
    fail('rate', 429, 'slow down', { headers: { 'retry-after': '7' } }),
    fail('quota', 429, 'You exceeded your current quota'),
    fail('server', 500, 'oops'),
    fail('overloaded', 529, 'Overloaded'),
    fail('auth', 401, 'bad key'),
    fail('overflow', 400, "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."),
    fail('tools', 400, 'tiny does not support tools'),
    fail('bad', 400, 'temperature is out of range'),
  ],
};

type FailureClass = new (...given: ConstructorParameters<typeof RequestError>) => BackendError;

const FAILURES: readonly (readonly [prompt: string, FailureClass, facts: JsonObject])[] = [
  ['rate', RateLimitError, { retryable: true, kind: 'rate_limit', status: 429, retryAfterMs: 7_000 }],
  ['quota', RateLimitError, { retryable: false, kind: 'quota' }],
  ['server', TransientError, { retryable: true, kind: 'server', status: 500 }],
  ['overloaded', TransientError, { retryable: true, kind: 'overloaded' }],
  ['auth', AuthError, { retryable: false, status: 401 }],
  ['overflow', ContextOverflowError, { retryable: false, limitTokens: 4096 }],
  ['tools', ToolUnsupportedError, { retryable: false, kind: 'tools' }],
  ['bad', RequestError, { retryable: false, kind: 'request', status: 400 }],
];

interface Reply {
  readonly events: readonly StreamEvent[];
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage: Usage | undefined;
  readonly stop: string | undefined;
}

function never(): AbortSignal {
  return new AbortController().signal;
}

function requestOf(messages: readonly Message[]): ModelRequest {
  const shell = { name: 'shell', description: 'runs a command', parameters: { type: 'object', properties: { cmd: { type: 'string' } } } };
  return { model: 'conformance', system: 'You are a test.', messages, tools: [shell], params: {} };
}

async function collect(stream: AsyncIterable<StreamEvent>): Promise<Reply> {
  const events: StreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return {
    events,
    text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
    calls: events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : [])),
    usage: events.find((event) => event.type === 'usage')?.usage,
    stop: events.find((event) => event.type === 'done')?.stop,
  };
}

/** The error that a stream ends with. */
async function failure(stream: AsyncIterable<StreamEvent>): Promise<BackendError> {
  const ended = await collect(stream).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (ended === undefined) throw new Error('the stream ended well');
  return ended as BackendError; // what else it may be is for the assertions to say
}

async function* recording(stream: AsyncIterable<StreamEvent>, seen: StreamEvent[]): AsyncGenerator<StreamEvent> {
  for await (const event of stream) {
    seen.push(event);
    yield event;
  }
}

async function* abortingAtText(
  stream: AsyncIterable<StreamEvent>,
  seen: StreamEvent[],
  controller: AbortController,
): AsyncGenerator<StreamEvent> {
  for await (const event of recording(stream, seen)) {
    if (event.type === 'text') controller.abort();
    yield event;
  }
}

async function until(holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 5_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error('still open after 5 s');
    await new Promise((done) => setTimeout(done, 5));
  }
}

function assistant(text: string, toolCalls: readonly ToolCall[]): Message {
  return { role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }], toolCalls };
}

function result({ id, name }: ToolCall, text: string): Message {
  return { role: 'tool', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError: false };
}
