import { AuthError, BackendError, ContextOverflowError, RateLimitError, TransientError, type JsonObject, type StreamEvent } from '#model';
import { EventsDecoder } from './decode.js';

type Given = readonly [name: string, payload: JsonObject];

function decode(given: readonly Given[], { usedIds = [] as readonly string[], contextLength = undefined as number | undefined } = {}) {
  const decoder = new EventsDecoder({ backend: 'kiro', secret: 'tok-1', usedIds: new Set(usedIds), model: 'm', contextLength });
  const events = given.flatMap(([name, payload]) => decoder.push({ kind: 'event', name, payload }));
  return [...events, ...decoder.end()];
}

const says = (content: string): Given => ['assistantResponseEvent', { content }];
const calls = (more: JsonObject): Given => ['toolUseEvent', { toolUseId: 't1', name: 'ls', ...more }];
const thinks = (more: JsonObject): Given => ['reasoningContentEvent', more];
const callsIn = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === 'toolCall' ? [event.call] : []));
const replayIn = (events: readonly StreamEvent[]) => events.flatMap((event) => (event.type === 'replay' ? [event.block.data] : []));

describe('events of a conversation', () => {
  it('fragments of calls may be mixed, and their input an object', () => {
    const other = { toolUseId: 't2', name: 'cat' };
    const given = [calls({ input: '{"a"' }), ['toolUseEvent', { ...other, input: { b: 2 } }], calls({ input: ':1}' })] as const;
    const events = decode([...given, calls({ stop: true }), ['toolUseEvent', { ...other, stop: true }]]);
    expect(callsIn(events)).toMatchObject([
      { id: 't1', name: 'ls', arguments: { a: 1 } },
      { id: 't2', name: 'cat', arguments: { b: 2 } },
    ]);
    expect(events.at(-1)).toEqual({ type: 'done', stop: 'tool_calls' });
  });

  it('a fragment without an id belongs to the last call, and an id that is taken is replaced', () => {
    const [call] = callsIn(decode([calls({}), ['toolUseEvent', { input: '{}', stop: true }]], { usedIds: ['t1'] }));
    expect(call).toMatchObject({ name: 'ls', arguments: {} });
    expect(call?.id).not.toBe('t1');
  });

  it.each<[string, readonly Given[], string]>([
    ['nothing', [], 'stream_drop'],
    ['a call that is not stopped', [says('hi'), calls({ input: '{"a":1}' })], 'stream_drop'],
    ['a call without a name', [calls({ name: '', stop: true })], 'malformed'],
  ])('an answer with %s is none', (_what, given, kind) => {
    expect(() => decode(given)).toThrow(TransientError);
    expect(kindOf(() => decode(given))).toBe(kind);
  });

  it('an answer that was counted may be empty', () => {
    expect(decode([['metadataEvent', { tokenUsage: { outputTokens: 0 } }]]).at(-1)).toEqual({ type: 'done', stop: 'stop' });
  });

  it('each signature is that of the thinking before it', () => {
    const events = decode([
      thinks({ text: 'a' }),
      thinks({ text: 'b', signature: 's1' }),
      thinks({ text: 'c' }),
      thinks({ signature: 's2' }),
      says('hi'),
    ]);
    expect(replayIn(events)).toEqual([
      { type: 'thinking', thinking: 'ab', signature: 's1' },
      { type: 'thinking', thinking: 'c', signature: 's2' },
    ]);
    expect(replayIn(decode([thinks({ text: 'a' }), says('hi')]))).toEqual([]);
    expect(replayIn(decode([thinks({ redactedContent: 'b3Bh' }), says('hi')]))).toEqual([{ type: 'redacted_thinking', data: 'b3Bh' }]);
  });

  it('without counts the fill of the window tells what was used', () => {
    const usage = (contextLength?: number, ...more: Given[]) =>
      decode([says('hi'), ['contextUsageEvent', { contextUsagePercentage: 3.5 }], ...more], { contextLength }).find(
        ({ type }) => type === 'usage',
      );
    expect(usage(200_000)).toMatchObject({ usage: { inputTokens: 7_000, outputTokens: 0 } });
    expect(usage()).toBeUndefined();
    expect(usage(200_000, ['metadataEvent', { tokenUsage: { uncachedInputTokens: 5 } }])).toMatchObject({ usage: { inputTokens: 5 } });
  });

  it('what nobody knows is passed over', () => {
    const given: readonly Given[] = [['codeReferenceEvent', { references: [] }], ['newEvent', {}], says('hi')];
    expect(decode(given).map(({ type }) => type)).toEqual(['text', 'done']);
  });

  it.each<[string, JsonObject, new (...given: never[]) => Error, string]>([
    ['throttlingException', { message: 'slow', reason: 'INSUFFICIENT_MODEL_CAPACITY' }, RateLimitError, 'rate_limit'],
    ['ThrottlingException', { message: 'enough', reason: 'MONTHLY_REQUEST_COUNT' }, RateLimitError, 'quota'],
    ['validationException', { message: 'no', reason: 'CONTENT_LENGTH_EXCEEDS_THRESHOLD' }, ContextOverflowError, 'context'],
    ['accessDeniedException', { message: 'no' }, AuthError, 'auth'],
    ['internalServerException', { message: 'oops' }, TransientError, 'server'],
    ['neverHeardOfException', { message: 'oops' }, TransientError, 'server'],
  ])('the exception %s %j is typed', (name, payload, Class, kind) => {
    const decoder = new EventsDecoder({ backend: 'kiro', secret: 'tok-1', usedIds: new Set(), model: 'm', contextLength: undefined });
    expect(() => decoder.push({ kind: 'exception', name, payload })).toThrow(Class);
    expect(kindOf(() => decoder.push({ kind: 'exception', name, payload }))).toBe(kind);
  });

  it.each<[string, JsonObject]>([
    ['an error', { kind: 'error', name: '500', payload: { message: 'it is tok-1' } }],
    ['an invalid state', { kind: 'event', name: 'invalidStateEvent', payload: { message: 'it is tok-1' } }],
    ['a whole answer', { message: 'it is tok-1' }],
  ])('%s is a failure, and does not show the token', (_what, event) => {
    const decoder = new EventsDecoder({ backend: 'kiro', secret: 'tok-1', usedIds: new Set(), model: 'm', contextLength: undefined });
    expect(() => decoder.push(event)).toThrow('kiro: it is [key]');
  });
});

function kindOf(fails: () => unknown): string | undefined {
  try {
    fails();
  } catch (error) {
    if (error instanceof BackendError) return error.failure.kind;
    throw error;
  }
  return undefined;
}
