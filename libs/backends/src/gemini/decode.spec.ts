import fc from 'fast-check';
import { BackendError, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { GeminiDecoder } from './decode.js';

const chunk = (parts: readonly JsonObject[], more: JsonObject = {}, top: JsonObject = {}): JsonObject => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, ...more }],
  ...top,
});
const finish = (finishReason: string, more: JsonObject = {}): JsonObject => chunk([{ text: '' }], { finishReason, ...more });
const call = (name: string, args: JsonValue, more: JsonObject = {}, own: JsonObject = {}): JsonObject => ({
  functionCall: { name, args, ...own },
  ...more,
});
const replay = (data: JsonObject): StreamEvent => ({ type: 'replay', block: { type: 'replay', provider: 'gemini', model: 'm', data } });

function decoder(usedIds: readonly string[] = []): GeminiDecoder {
  return new GeminiDecoder({ backend: 'gemini', secret: 'sk-planted', model: 'm', usedIds: new Set(usedIds) });
}

function decode(chunks: readonly JsonValue[], usedIds: readonly string[] = []): readonly StreamEvent[] {
  const one = decoder(usedIds);
  return [...chunks.flatMap((value) => one.push(value)), ...one.end()];
}

function failureOf(...chunks: readonly JsonValue[]): BackendError {
  try {
    decode(chunks);
  } catch (error) {
    if (error instanceof BackendError) return error;
    throw error;
  }
  throw new Error('expected a failure');
}

/** The last event, or the failure. */
function outcomeOf(chunks: readonly JsonValue[]): string | undefined {
  try {
    return decode(chunks).at(-1)?.type;
  } catch (error) {
    return error instanceof BackendError ? error.name : String(error);
  }
}

const callsIn = (events: readonly StreamEvent[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === 'toolCall' ? [[event.call.id, event.call.name, event.call.arguments]] : []));

describe('chunks of a generated content', () => {
  it('thoughts, text, usage and the end', () => {
    const events = decode([
      chunk([{ text: 'hm', thought: true }], {}, { responseId: 'r1', usageMetadata: { promptTokenCount: 120 } }),
      chunk([{ text: 'a' }, { text: 'b' }]),
      chunk(
        [{ text: 'c' }],
        { finishReason: 'STOP' },
        {
          usageMetadata: { cachedContentTokenCount: 100, candidatesTokenCount: 11, thoughtsTokenCount: 30, toolUsePromptTokenCount: 5 },
        },
      ),
    ]);
    expect(events).toEqual([
      { type: 'start', responseId: 'r1' },
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
      { type: 'text', text: 'c' },
      {
        type: 'usage',
        usage: { inputTokens: 25, cachedInputTokens: 100, cacheCreationTokens: 0, outputTokens: 41, reasoningTokens: 30 },
      },
      { type: 'done', stop: 'stop', responseId: 'r1' },
    ]);
  });

  it('a chunk of usage alone may follow the end, and a list of chunks is its chunks', () => {
    const events = decode([[chunk([{ text: 'a' }]), finish('STOP')], { usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2 } }]);
    expect(events.map(({ type }) => type)).toEqual(['text', 'usage', 'done']);
  });

  it('calls are given out at the end; their ids are the server’s where they can be', () => {
    const events = decode(
      [
        chunk([call('ls', { d: '/' }, {}, { id: 'f1' })]),
        chunk([call('ls', { d: '/b' }, {}, { id: 'f1' }), call('pwd', null)]),
        chunk([call('cat', { p: 1 }, {}, { id: 'old' })]),
        finish('STOP'),
      ],
      ['old'],
    );
    const own = expect.stringMatching(/^call_[0-9a-f]{24}$/);
    expect(callsIn(events)).toEqual([
      ['f1', 'ls', { d: '/' }],
      [own, 'ls', { d: '/b' }],
      [own, 'pwd', {}],
      [own, 'cat', { p: 1 }],
    ]);
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'tool_calls' });
  });

  it('a signature is kept for its own part: a call by its id, other parts as they are', () => {
    const thought = { text: 'hm', thought: true, thoughtSignature: 's0' };
    const events = decode([
      chunk([thought, { text: 'Let me see.', thoughtSignature: 's1' }]),
      chunk([call('ls', {}, { thoughtSignature: 's2' }, { id: 'f1' }), call('pwd', {}, {}, { id: 'f2' })]),
      chunk([{ text: '', thoughtSignature: 's3' }], { finishReason: 'STOP' }),
    ]);
    expect(events.filter(({ type }) => type !== 'toolCall')).toEqual([
      { type: 'reasoning', text: 'hm' },
      replay(thought),
      { type: 'text', text: 'Let me see.' },
      replay({ text: 'Let me see.', thoughtSignature: 's1' }),
      replay({ text: '', thoughtSignature: 's3', afterCalls: 2 }),
      replay({ callId: 'f1', thoughtSignature: 's2' }),
      { type: 'done', stop: 'tool_calls' },
    ]);
  });

  it('arguments that are no object are marked', () => {
    const [event] = decode([chunk([call('ls', [1])]), finish('STOP')]);
    expect(event).toMatchObject({ type: 'toolCall', call: { arguments: {}, rawArguments: '[1]', argumentsError: 'not a JSON object' } });
  });

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
    ['RECITATION', 'content_filter'],
    ['PROHIBITED_CONTENT', 'content_filter'],
    ['constructor', 'content_filter'],
    ['FINISH_REASON_UNSPECIFIED', 'stop'],
  ])('%s ends it as %s', (reason, stop) => {
    expect(decode([chunk([{ text: 'a' }]), finish(reason)]).at(-1)).toEqual({ type: 'done', stop });
  });

  it.each(['MAX_TOKENS', 'SAFETY'])('after %s no call is given out, nor its signature', (reason) => {
    const events = decode([chunk([call('ls', {}, { thoughtSignature: 's' })]), finish(reason)]);
    expect(events.map(({ type }) => type)).toEqual(['done']);
  });

  it('a prompt that is blocked has no answer', () => {
    const usageMetadata = { promptTokenCount: 5 };
    expect(decode([{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata }])).toEqual([
      { type: 'usage', usage: { inputTokens: 5, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 0 } },
      { type: 'done', stop: 'content_filter' },
    ]);
    expect(() => decode([{ promptFeedback: { safetyRatings: [] } }])).toThrow('stream ended early');
  });

  it.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'OTHER'])(
    '%s is a failure that may be retried',
    (reason) => {
      const error = failureOf({ candidates: [{ finishReason: reason, finishMessage: 'call sk-planted(\n' }] });
      expect([error.name, error.retryable, error.failure.kind, error.message]).toEqual([
        'TransientError',
        true,
        'malformed',
        `gemini: the answer ended with ${reason}: call [key](`,
      ]);
    },
  );

  it('a signature that the server misses will be missed again', () => {
    const error = failureOf(finish('MISSING_THOUGHT_SIGNATURE'));
    expect([error.name, error.retryable]).toEqual(['RequestError', false]);
  });

  it.each<[JsonValue, string, string]>([
    [{ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }, 'TransientError', 'overloaded'],
    [[{ error: { code: 429, message: 'no', details: [{ retryDelay: '3s' }] } }], 'RateLimitError', 'rate_limit'],
    [
      { error: { code: 400, message: 'The input token count (9) exceeds the maximum number of tokens allowed (8).' } },
      'ContextOverflowError',
      'context',
    ],
    [7, 'TransientError', 'malformed'],
  ])('%j in the stream is typed like a refusal', (value, name, kind) => {
    const error = failureOf(chunk([{ text: 'a' }]), value);
    expect([error.name, error.failure.kind]).toEqual([name, kind]);
  });

  it('an answer without a finish reason broke off; a call without a name is none', () => {
    expect(failureOf(chunk([{ text: 'a' }]), '[DONE]').failure.kind).toBe('stream_drop');
    expect(failureOf(chunk([{ functionCall: { args: {} } }]), finish('STOP')).failure.kind).toBe('malformed');
  });

  it('whatever else a server sends is events or a failure of its own', () => {
    const any = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>;
    const near = (keys: readonly string[]): fc.Arbitrary<JsonObject> =>
      fc.dictionary(fc.constantFrom(...keys), fc.oneof(any, fc.string()), { maxKeys: 3 });
    const part = near(['text', 'thought', 'thoughtSignature', 'functionCall', 'inlineData']);
    const calls = fc.record({ functionCall: near(['name', 'args', 'id']) });
    const some = fc.record({
      candidates: fc.array(
        fc.record({ content: fc.record({ parts: fc.array(fc.oneof(part, calls, any)) }), finishReason: fc.constantFrom('STOP', '', 7) }),
      ),
    });
    const other = near(['candidates', 'usageMetadata', 'promptFeedback', 'responseId', 'error']);
    fc.assert(
      fc.property(fc.array(fc.oneof(any, some, other), { maxLength: 4 }), (chunks) => {
        expect(outcomeOf([...chunks, finish('STOP')])).toMatch(/^(done|\w+Error)$/);
      }),
      { numRuns: 500 },
    );
  });

  it('only the finish reason settles it; what brings no part is a keep-alive', () => {
    const one = decoder();
    one.push({ usageMetadata: { promptTokenCount: 1 } });
    expect([one.isSettled, one.pieces]).toEqual([false, 0]);
    one.push(chunk([{ text: 'a' }]));
    expect([one.isSettled, one.pieces]).toEqual([false, 1]);
    one.push(finish('STOP'));
    expect([one.isSettled, one.isOver]).toEqual([true, false]);
  });
});
