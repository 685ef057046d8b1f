import { BackendError, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { MessagesDecoder } from './decode.js';
import { modelList } from './model-list.js';

const START: JsonObject = { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 5, output_tokens: 1 } } };
const STOP: JsonObject = { type: 'message_stop' };
const open = (index: number, content_block: JsonObject): JsonObject => ({ type: 'content_block_start', index, content_block });
const delta = (index: number, type: string, fields: JsonObject): JsonObject => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...fields },
});
const close = (index: number): JsonObject => ({ type: 'content_block_stop', index });
const ending = (stop_reason: string | null, usage: JsonObject = {}): JsonObject => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const tool = (index: number, id: string, name: string, input: JsonObject = {}): JsonObject =>
  open(index, { type: 'tool_use', id, name, input });

function decoder(usedIds: readonly string[] = []): MessagesDecoder {
  return new MessagesDecoder({ backend: 'anthropic', secret: 'sk-planted', model: 'm', usedIds: new Set(usedIds) });
}

function decode(events: readonly JsonValue[], usedIds: readonly string[] = []): readonly StreamEvent[] {
  const one = decoder(usedIds);
  return [...events.flatMap((event) => one.push(event)), ...one.end()];
}

function failureOf(...events: readonly JsonValue[]): BackendError {
  try {
    decode(events);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

const ofType = (events: readonly StreamEvent[], type: StreamEvent['type']): readonly StreamEvent[] =>
  events.filter((one) => one.type === type);

describe('events of a message', () => {
  it('the answer is named first, and its blocks come in their order', () => {
    const events = decode([
      START,
      open(0, { type: 'thinking', thinking: '', signature: '' }),
      delta(0, 'thinking_delta', { thinking: 'hm' }),
      delta(0, 'signature_delta', { signature: 's1' }),
      close(0),
      open(1, { type: 'redacted_thinking', data: 'x' }),
      close(1),
      open(2, { type: 'text', text: 'a' }),
      delta(2, 'text_delta', { text: 'b' }),
      close(2),
      ending('end_turn', { output_tokens: 7 }),
      STOP,
    ]);
    const block = (data: JsonObject): StreamEvent => ({
      type: 'replay',
      block: { type: 'replay', provider: 'anthropic', model: 'm', data },
    });
    expect(events).toEqual([
      { type: 'start', responseId: 'msg_1' },
      { type: 'reasoning', text: 'hm' },
      block({ type: 'thinking', thinking: 'hm', signature: 's1' }),
      block({ type: 'redacted_thinking', data: 'x' }),
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'usage', usage: { inputTokens: 5, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 7 } },
      { type: 'done', stop: 'stop', responseId: 'msg_1' },
    ]);
  });

  it('thinking is kept when its text is empty but signed, and not when it is not signed', () => {
    const thinking = open(0, { type: 'thinking', thinking: '', signature: '' });
    expect(ofType(decode([thinking, delta(0, 'signature_delta', { signature: 's' }), close(0), STOP]), 'replay')).toHaveLength(1);
    expect(ofType(decode([thinking, delta(0, 'thinking_delta', { thinking: 'hm' }), close(0), STOP]), 'replay')).toEqual([]);
    expect(ofType(decode([thinking, delta(0, 'signature_delta', { signature: 's' }), STOP]), 'replay')).toHaveLength(1);
  });

  it('what the tools of the server did is kept, to be sent back as it was', () => {
    const call = { type: 'server_tool_use', id: 's1', name: 'web_search', input: {} };
    const result = { type: 'web_search_tool_result', tool_use_id: 's1', content: [{ type: 'web_search_result', url: 'u' }] };
    const pieces = ['', '{"query":', '"x"}'].map((partial_json) => delta(0, 'input_json_delta', { partial_json }));
    const events = decode([open(0, call), ...pieces, close(0), open(1, result), close(1), open(2, call), ending('pause_turn'), STOP]);
    expect(events.flatMap((event) => (event.type === 'replay' ? [event.block.data] : []))).toEqual([
      { ...call, input: { query: 'x' } },
      result,
      call,
    ]);
    expect(ofType(decode([open(0, { type: 'fallback' }), open(1, { type: 'tool_result' }), STOP]), 'replay')).toEqual([]);
  });

  it('calls come whole, with no arguments, empty ones, in pieces, or from the start', () => {
    const events = decode([
      tool(0, 'a', 'now'),
      close(0),
      tool(1, 'b', 'pwd'),
      delta(1, 'input_json_delta', { partial_json: '' }),
      tool(2, 'c', 'ls'),
      delta(2, 'input_json_delta', { partial_json: '{"d"' }),
      delta(2, 'input_json_delta', { partial_json: ':1}' }),
      tool(3, 'd', 'cat', { f: 'x' }),
      tool(4, 'e', 'bad'),
      delta(4, 'input_json_delta', { partial_json: '{"d' }),
      ending('tool_use'),
      STOP,
    ]);
    expect(
      events.flatMap((one) => (one.type === 'toolCall' ? [[one.call.id, one.call.arguments, one.call.argumentsError !== undefined]] : [])),
    ).toEqual([
      ['a', {}, false],
      ['b', {}, false],
      ['c', { d: 1 }, false],
      ['d', { f: 'x' }, false],
      ['e', {}, true],
    ]);
  });

  it('an id that is taken is replaced, a call without a name is a failure', () => {
    const [call] = ofType(decode([tool(0, 'a', 'ls'), ending('tool_use'), STOP], ['a']), 'toolCall');
    expect(call).toMatchObject({ call: { id: expect.stringMatching(/^call_/) } });
    expect(failureOf(tool(0, 'a', ''), STOP).failure.kind).toBe('malformed');
  });

  it.each([
    ['end_turn', 'tool_calls', 1],
    ['tool_use', 'tool_calls', 1],
    ['stop_sequence', 'tool_calls', 1],
    ['max_tokens', 'length', 0],
    ['model_context_window_exceeded', 'length', 0],
    ['refusal', 'refusal', 0],
    ['pause_turn', 'pause', 0],
    ['something_new', 'tool_calls', 1],
    ['constructor', 'tool_calls', 1],
  ])('%s is %s, and %i calls are given out', (reason, stop, count) => {
    const events = decode([tool(0, 'a', 'ls'), close(0), ending(reason), ending(null), STOP]);
    expect(events.at(-1)).toMatchObject({ type: 'done', stop });
    expect(ofType(events, 'toolCall')).toHaveLength(count);
  });

  it.each(['end_turn', 'stop_sequence', 'tool_use', 'something_new'])('%s without a call is the end', (reason) => {
    expect(decode([ending(reason), STOP]).at(-1)).toMatchObject({ stop: 'stop' });
  });

  it('counts replace each other, null keeps the one before, and the parts are told', () => {
    const first = { input_tokens: 9, cache_read_input_tokens: 3, cache_creation_input_tokens: 8, output_tokens: 1 };
    const start = {
      type: 'message_start',
      message: { usage: { ...first, cache_creation: { ephemeral_5m_input_tokens: 6, ephemeral_1h_input_tokens: 2 } } },
    };
    const last = { input_tokens: null, output_tokens: 40, output_tokens_details: { thinking_tokens: 30 } };
    const [usage] = ofType(decode([start, ending('end_turn', { output_tokens: 20 }), ending(null, last), STOP]), 'usage');
    expect(usage).toEqual({
      type: 'usage',
      usage: {
        inputTokens: 9,
        cachedInputTokens: 3,
        cacheCreationTokens: 8,
        cacheCreation1hTokens: 2,
        outputTokens: 40,
        reasoningTokens: 30,
      },
    });
  });

  it('what nobody knows is passed over, and so is a mark of the end', () => {
    const odd = [
      { type: 'ping' },
      { type: 'news', text: 'x' },
      open(0, { type: 'server_tool_use', id: 's', name: 'web' }),
      delta(0, 'input_json_delta', { partial_json: '{"q' }),
      close(0),
      open(1, { type: 'text' }),
      delta(1, 'citations_delta', { citation: {} }),
      close(7),
    ];
    expect(decode([...odd, STOP, '[DONE]']).map(({ type }) => type)).toEqual(['done']);
  });

  it('pings are no progress', () => {
    const one = decoder();
    one.push(START);
    one.push({ type: 'ping' });
    expect(one.pieces).toBe(0);
    one.push(open(0, { type: 'text', text: '' }));
    expect(one.pieces).toBe(1);
  });

  it('only message_stop is an end', () => {
    expect(failureOf(START, open(0, { type: 'text', text: 'a' }), close(0), ending('end_turn')).failure.kind).toBe('stream_drop');
    const one = decoder();
    one.push(ending('end_turn'));
    expect([one.isSettled, one.isOver]).toEqual([false, false]);
    one.push(STOP);
    expect([one.isSettled, one.isOver]).toEqual([true, true]);
  });

  it.each([
    ['overloaded_error', 'TransientError', 'overloaded', 529, true],
    ['api_error', 'TransientError', 'server', 500, true],
    ['rate_limit_error', 'RateLimitError', 'rate_limit', 429, true],
    ['authentication_error', 'AuthError', 'auth', 401, false],
    ['permission_error', 'AuthError', 'auth', 403, false],
    ['billing_error', 'RateLimitError', 'quota', 402, false],
    ['not_found_error', 'RequestError', 'not_found', 404, false],
    ['invalid_request_error', 'RequestError', 'request', 400, false],
    ['request_too_large', 'ContextOverflowError', 'context', undefined, false],
    ['unheard_of', 'TransientError', 'server', undefined, true],
  ])('%s inside the stream is a %s of kind %s', (type, name, kind, status, retryable) => {
    const error = failureOf(START, { type: 'error', error: { type, message: 'no, sk-planted' }, request_id: 'r' });
    expect([error.name, error.failure.kind, error.failure.status, error.retryable]).toEqual([name, kind, status, retryable]);
    expect(error.message).toBe('anthropic: no, [key]');
  });

  it('a spend limit is a quota', () => {
    expect(failureOf({ type: 'error', error: { type: 'rate_limit_error', message: 'workspace spend limit reached' } }).retryable).toBe(
      false,
    );
  });

  it('a whole message is an answer', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'ls', input: { d: 1 } },
    ];
    const events = decode([{ type: 'message', id: 'm1', content, stop_reason: 'tool_use', usage: { input_tokens: 1, output_tokens: 2 } }]);
    expect(events.map(({ type }) => type)).toEqual(['start', 'reasoning', 'replay', 'text', 'toolCall', 'usage', 'done']);
    expect(events[4]).toMatchObject({ call: { id: 't', arguments: { d: 1 } } });
  });
});

describe('the list of models', () => {
  it('has what the server tells of what they can', () => {
    const yes = { supported: true };
    const no = { supported: false };
    const effort = { ...yes, low: yes, medium: no, high: yes, xhigh: null, max: yes };
    const data = [
      { id: 'a', max_tokens: 9, capabilities: { image_input: yes, thinking: { ...yes, types: { disabled: yes } }, effort } },
      { id: 'b', max_tokens: null, capabilities: { image_input: no, thinking: { ...no }, effort: { ...no, low: no } } },
      { id: 'c', capabilities: { effort: { low: yes } } },
      { id: 'd', capabilities: null },
      { id: 'e', capabilities: { image_input: 'yes' } },
    ];
    expect(modelList({ data }).map(({ capabilities }) => capabilities)).toEqual([
      { maxOutputTokens: 9, images: true, reasoning: true, efforts: ['none', 'low', 'high', 'max'] },
      { images: false, reasoning: false },
      { efforts: ['low'] },
      undefined,
      undefined,
    ]);
  });

  it('has the window that the server tells, else that of the family', () => {
    const data = [
      { id: 'claude-x', max_input_tokens: 7 },
      { id: 'claude-sonnet-4-5' },
      { id: 'claude-opus-4-6', max_input_tokens: null },
      { id: 'glm' },
      {},
    ];
    expect(modelList({ data })).toEqual([
      { id: 'claude-x', contextLength: 7 },
      { id: 'claude-sonnet-4-5', contextLength: 200_000 },
      { id: 'claude-opus-4-6', contextLength: 1_000_000 },
      { id: 'glm' },
    ]);
    expect(modelList([])).toEqual([]);
  });
});
