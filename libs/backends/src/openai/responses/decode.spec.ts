import { BackendError, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { ResponsesDecoder } from './decode.js';

const newDecoder = (usedIds: readonly string[] = []): ResponsesDecoder =>
  new ResponsesDecoder({ backend: 'openai', secret: 'sk-planted', model: 'gpt-6', usedIds: new Set(usedIds) });

const COMPLETED = { type: 'response.completed', response: { id: 'r1', status: 'completed', output: [] } };

function decode(events: readonly JsonValue[], decoder = newDecoder()): readonly StreamEvent[] {
  return [...events.flatMap((event) => decoder.push(event)), ...decoder.end()];
}

function failure(events: readonly JsonValue[]): BackendError {
  try {
    decode(events);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

const added = (output_index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: JsonObject): JsonObject => ({ type: 'response.output_item.done', output_index, item });
const delta = (kind: string, output_index: number, text: string): JsonObject => ({
  type: `response.${kind}.delta`,
  output_index,
  delta: text,
});
const call = (call_id: string, name = 'ls', args: JsonValue = ''): JsonObject => ({
  type: 'function_call',
  id: `fc_${call_id}`,
  call_id,
  name,
  arguments: args,
});
const message = (...content: readonly JsonObject[]): JsonObject => ({ type: 'message', role: 'assistant', content });
const reasoning = (id: string, more: JsonObject = { encrypted_content: 'RU5D' }): JsonObject => ({
  type: 'reasoning',
  id,
  summary: [],
  ...more,
});
const replays = (events: readonly StreamEvent[]): readonly JsonValue[] =>
  events.flatMap((event) => (event.type === 'replay' ? [event.block.data] : []));
const kinds = (events: readonly StreamEvent[]): readonly string[] => events.map(({ type }) => type);

describe('events of a response', () => {
  it('text and start come as they come, usage at the end', () => {
    const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 }, output_tokens: 5 };
    expect(
      decode([
        { type: 'response.created', response: { id: 'r1' } },
        { type: 'response.in_progress', response: { id: 'r1' } },
        added(0, message()),
        delta('output_text', 0, 'He'),
        delta('output_text', 0, 'llo'),
        done(0, message({ type: 'output_text', text: 'Hello' })),
        { type: 'response.completed', response: { id: 'r1', status: 'completed', service_tier: 'flex', usage } },
        '[DONE]',
      ]),
    ).toEqual([
      { type: 'start', responseId: 'r1' },
      { type: 'text', text: 'He' },
      { type: 'text', text: 'llo' },
      { type: 'usage', usage: { inputTokens: 2, cachedInputTokens: 4, cacheCreationTokens: 3, outputTokens: 5, serviceTier: 'flex' } },
      { type: 'done', stop: 'stop', responseId: 'r1' },
    ]);
  });

  it('parts of a summary are paragraphs', () => {
    const part = (summary_index: number): JsonObject => ({ type: 'response.reasoning_summary_part.added', output_index: 0, summary_index });
    const events = decode([
      added(0, reasoning('rs_1')),
      part(0),
      delta('reasoning_summary_text', 0, 'One.'),
      part(1),
      delta('reasoning_summary_text', 0, 'Two.'),
      delta('reasoning_text', 0, ' Raw.'),
      COMPLETED,
    ]);
    expect(events.map((event) => (event.type === 'reasoning' ? event.text : '')).join('')).toBe('One.\n\nTwo. Raw.');
  });

  it('calls are put together by their index, whatever their items are called', () => {
    const events = decode([
      added(0, call('c1')),
      added(1, call('c2', 'cat')),
      delta('function_call_arguments', 0, '{"d"'),
      delta('function_call_arguments', 1, '{"f":1}'),
      delta('function_call_arguments', 0, ':"/"}'),
      done(0, { ...call('c1', 'ls', '{"d":"/"}'), id: 'another' }),
      COMPLETED,
    ]);
    expect(events).toMatchObject([
      { type: 'start' },
      { call: { id: 'c1', name: 'ls', arguments: { d: '/' }, rawArguments: '{"d":"/"}' } },
      { call: { id: 'c2', name: 'cat', arguments: { f: 1 } } },
      { type: 'done', stop: 'tool_calls' },
    ]);
  });

  it('arguments may come all at once', () => {
    const whole = { type: 'response.function_call_arguments.done', output_index: 0, arguments: '{"d":"/"}' };
    const calls = [
      decode([added(0, call('c1')), whole, COMPLETED]),
      decode([added(0, call('c1')), delta('function_call_arguments', 0, '{"d":"/"}'), whole, COMPLETED]),
    ];
    for (const events of calls)
      expect(events).toContainEqual(expect.objectContaining({ call: expect.objectContaining({ arguments: { d: '/' } }) as unknown }));
  });

  it('a server that leaves the index out names its items', () => {
    const events = decode([
      { type: 'response.output_item.added', item: call('c1') },
      { type: 'response.output_item.added', item: call('c2') },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_c2', delta: '{"n":2}' },
      { type: 'response.function_call_arguments.delta', item_id: 'fc_c1', delta: '{"n":1}' },
      COMPLETED,
    ]);
    expect(events.flatMap((event) => (event.type === 'toolCall' ? [event.call.arguments] : []))).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('a server that has one index for all of its items puts them one behind the other', () => {
    const events = decode([
      added(0, message()),
      delta('output_text', 0, 'text'),
      done(0, message({ type: 'output_text', text: 'text' })),
      added(0, call('c1')),
      delta('function_call_arguments', 0, '{"n":1}'),
      done(0, call('c1', 'ls', '{"n":1}')),
      done(0, call('c1', 'ls', '{"n":1}')),
      added(0, call('c2')),
      delta('function_call_arguments', 0, '{"n":2}'),
      done(0, call('c3', 'ls', '{"n":3}')),
      done(0, call('c4', 'ls', '{"n":4}')),
      COMPLETED,
    ]);
    expect(events.flatMap((event) => (event.type === 'toolCall' ? [event.call.arguments] : []))).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : []))).toEqual(['text']);
  });

  it('pieces of items that nobody has opened count', () => {
    const text = [{ type: 'output_text', text: 'Hello' }];
    const response = { status: 'completed', output: [message(...text), call('c1', 'ls', '{"n":1}')] };
    const events = decode([
      delta('output_text', 0, 'Hello'),
      done(0, message(...text)),
      delta('function_call_arguments', 1, '{"n":1}'),
      done(1, call('c1')),
      { type: 'response.completed', response },
    ]);
    expect(kinds(events)).toEqual(['text', 'toolCall', 'done']);
    expect(events[1]).toMatchObject({ call: { id: 'c1', name: 'ls', arguments: { n: 1 } } });
    const bare = [
      delta('output_text', 0, 'Hello'),
      { type: 'response.completed', response: { status: 'completed', output: [message(...text)] } },
    ];
    expect(kinds(decode(bare))).toEqual(['text', 'done']);
  });

  it('names that every object has mean nothing', () => {
    const names = ['constructor', 'toString', '__proto__', 'hasOwnProperty'];
    expect(kinds(decode([...names.map((type) => ({ type, delta: 'x' })), COMPLETED]))).toEqual(['start', 'done']);
    expect(kinds(decode([...names.map((type, i) => done(i, { type })), COMPLETED]))).toEqual(['start', 'done']);
  });

  it.each<[string, JsonValue, JsonObject]>([
    ['none', '', { arguments: {}, rawArguments: '{}' }],
    ['an object', { d: 1 }, { arguments: { d: 1 } }],
    ['broken', '{"d":', { arguments: {}, rawArguments: '{"d":', argumentsError: expect.any(String) }],
  ])('arguments may be %s', (_name, given, expected) => {
    expect(decode([done(0, call('c1', 'ls', given)), COMPLETED])[1]).toMatchObject({ call: expected });
  });

  it('ids that are taken or missing are replaced', () => {
    const events = decode([done(0, call('c1')), done(1, call('c1')), done(2, call('')), COMPLETED], newDecoder(['c1']));
    const ids = events.flatMap((event) => (event.type === 'toolCall' ? [event.call.id] : []));
    expect([new Set(ids).size, ids.includes('c1'), ids.every((id) => id !== '')]).toEqual([3, false, true]);
  });

  it('a call without a name is broken', () => {
    expect(failure([added(0, { type: 'function_call', call_id: 'c' }), COMPLETED]).failure.kind).toBe('malformed');
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    ['something_new', 'length'],
    [undefined, 'length'],
  ])('incomplete because of %s: no call is given out', (reason, stop) => {
    const response = { status: 'incomplete', incomplete_details: reason === undefined ? null : { reason } };
    expect(decode([done(0, call('c1')), { type: 'response.incomplete', response }])).toEqual([{ type: 'done', stop }]);
  });

  it('a refusal is text, and is said to be one', () => {
    expect(decode([added(0, message()), delta('refusal', 0, 'I will not.'), COMPLETED])).toMatchObject([
      { type: 'text', text: 'I will not.' },
      { type: 'start' },
      { type: 'done', stop: 'refusal' },
    ]);
  });

  it('what has not come in pieces comes with its item', () => {
    const content = [{ type: 'output_text', text: 'whole' }];
    const summary = [
      { type: 'summary_text', text: 'a' },
      { type: 'summary_text', text: 'b' },
    ];
    expect(decode([done(0, reasoning('rs', { summary })), done(1, message(...content)), COMPLETED]).slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'a\n\nb' },
      { type: 'text', text: 'whole' },
    ]);
  });

  it('what no item has told comes with the end, and a whole response is one', () => {
    const output = [
      reasoning('rs', { encrypted_content: 'RU5D', content: [{ type: 'reasoning_text', text: 'hm' }] }),
      message({ type: 'output_text', text: 'one' }, { type: 'refusal', refusal: ' two' }),
      call('c1', 'ls', '{}'),
    ];
    const response = { id: 'r1', object: 'response', status: 'completed', error: null, output };
    const expected = ['start', 'reasoning', 'replay', 'text', 'text', 'toolCall', 'done'];
    expect(kinds(decode([{ type: 'response.completed', response }]))).toEqual(expected);
    expect(kinds(decode([response]))).toEqual(expected);
  });

  it('events that nobody knows are passed over', () => {
    const events = [{ type: 'response.queued' }, { type: 'keepalive' }, {}, { type: 'response.audio.delta', delta: 'x' }, COMPLETED];
    expect(kinds(decode(events))).toEqual(['start', 'done']);
  });

  it('without an event that ends it an answer is cut off', () => {
    const decoder = newDecoder();
    decoder.push(added(0, message()));
    decoder.push(delta('output_text', 0, 'half'));
    decoder.push('[DONE]');
    expect([decoder.isSettled, decoder.isOver]).toEqual([false, false]);
    expect(failure([delta('output_text', 0, 'half')]).failure.kind).toBe('stream_drop');
    expect(failure([{ object: 'response', status: 'in_progress', output: [] }]).failure.kind).toBe('stream_drop');
  });

  it.each<[string, JsonObject, string, string]>([
    [
      'a window that is full',
      { code: 'context_length_exceeded', message: 'exceeds the context window' },
      'ContextOverflowError',
      'context',
    ],
    ['a limit', { code: 'rate_limit_exceeded', message: 'Please try again in 2.5s' }, 'RateLimitError', 'rate_limit'],
    ['a quota', { code: 'insufficient_quota', message: 'You exceeded your current quota' }, 'RateLimitError', 'quota'],
    ['a server', { code: 'server_error', message: 'oops sk-planted' }, 'TransientError', 'server'],
    ['a prompt', { code: 'invalid_prompt', message: 'flagged' }, 'RequestError', 'request'],
    ['an image', { code: 'image_too_large', message: 'too large' }, 'RequestError', 'request'],
  ])('%s that fails an answer is an error like any other', (_name, error, name, kind) => {
    const ways: readonly JsonObject[] = [
      { type: 'response.failed', response: { status: 'failed', error } },
      { type: 'error', ...error, param: null, sequence_number: 3 },
      { type: 'error', error: { type: 'x', ...error } },
      { object: 'response', status: 'failed', error },
    ];
    for (const event of ways) {
      const failed = failure([event]);
      expect([failed.name, failed.failure.kind]).toEqual([name, kind]);
      expect(failed.message).not.toContain('sk-planted');
      expect(failed.failure.retryAfterMs).toBe(kind === 'rate_limit' ? 2_500 : undefined);
    }
  });

  it('a failure without a reason is the server’s', () => {
    const failed = failure([{ type: 'response.failed', response: { status: 'failed', error: null } }]);
    expect([failed.name, failed.message]).toEqual(['TransientError', 'openai: answer failed']);
    expect(failure([{ type: 'response.cancelled', response: { status: 'cancelled' } }]).message).toBe('openai: answer cancelled');
  });

  it('what is no object is broken', () => {
    expect(failure([1]).failure.kind).toBe('malformed');
  });
});

describe('what a response wants back', () => {
  it('is its reasoning with encrypted content, as it came but for nulls', () => {
    const events = decode([done(0, reasoning('rs_1', { encrypted_content: 'RU5D', status: null, extra: { a: 1 } })), COMPLETED]);
    expect(replays(events)).toEqual([{ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'RU5D', extra: { a: 1 } }]);
    expect(events[0]).toMatchObject({ block: { provider: 'openai', model: 'gpt-6' } });
  });

  it('may come at the end only', () => {
    const response = { status: 'completed', output: [reasoning('rs_1'), message()] };
    const early = [done(0, reasoning('rs_1', {})), done(1, message())];
    expect(replays(decode([...early, { type: 'response.completed', response }]))).toEqual([reasoning('rs_1')]);
  });

  it('comes once', () => {
    const response = { status: 'completed', output: [reasoning('under-another-id')] };
    expect(replays(decode([done(0, reasoning('rs_1')), { type: 'response.completed', response }]))).toEqual([reasoning('rs_1')]);
  });

  it('says where the calls stood among the rest, and the phase of a text', () => {
    const events = decode([
      done(0, reasoning('rs_1')),
      added(1, { ...message(), phase: 'commentary' }),
      delta('output_text', 1, 'Looking.'),
      done(2, call('c1')),
      done(3, call('c2')),
      done(4, reasoning('rs_2')),
      done(5, call('c3')),
      COMPLETED,
    ]);
    expect(replays(events)).toEqual([
      reasoning('rs_1'),
      { type: 'phase', phase: 'commentary' },
      { type: 'calls', before: 2 },
      reasoning('rs_2'),
    ]);
    expect(kinds(events).slice(0, 3)).toEqual(['replay', 'replay', 'text']);
  });
});
