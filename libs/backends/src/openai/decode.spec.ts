import fc from 'fast-check';
import { RateLimitError, type JsonObject, type JsonValue, type StreamEvent } from '#model';
import { ChatDecoder, type ChatDecoderOptions } from './decode.js';

const chatDecoder = (more: Partial<ChatDecoderOptions> = {}): ChatDecoder =>
  new ChatDecoder({ backend: 'openai', secret: undefined, model: 'm', replay: 'none', usedIds: new Set(), ...more });

function decode(
  deltas: readonly JsonObject[],
  more: { finish?: string | null; done?: boolean; usedIds?: readonly string[] } = {},
): readonly StreamEvent[] {
  const decoder = chatDecoder({ usedIds: new Set(more.usedIds) });
  const events = deltas.flatMap((delta) => decoder.push({ choices: [{ delta }] }));
  const finish = more.finish === undefined ? 'stop' : more.finish;
  const last = finish === null ? [] : decoder.push({ choices: [{ delta: {}, finish_reason: finish }] });
  if (more.done) decoder.push('[DONE]');
  return [...events, ...last, ...decoder.end()];
}

const calls = (events: readonly StreamEvent[]): readonly JsonValue[] =>
  events.flatMap((event) => (event.type === 'toolCall' ? [[event.call.name, event.call.arguments]] : []));
const piece = (fields: JsonObject, name: string | undefined, args: JsonValue): JsonObject => ({
  tool_calls: [{ ...fields, function: { ...(name === undefined ? {} : { name }), arguments: args } }],
});

describe('chat completion chunks', () => {
  it('whole calls without id and index are calls of their own', () => {
    const events = decode([piece({}, 'a', '{"n":1}'), piece({}, 'b', ''), piece({}, 'b', '{"n":3}'), piece({}, 'b', '{"n":4}')]);
    expect(calls(events)).toEqual([
      ['a', { n: 1 }],
      ['b', { n: 3 }],
      ['b', { n: 4 }],
    ]);
  });

  it('whole calls with nothing but null for arguments are calls of their own', () => {
    expect(calls(decode([piece({}, 'a', 'null'), piece({}, 'a', 'null')]))).toHaveLength(2);
  });

  it('pieces that all repeat the name and have no id are one call, wherever the arguments are cut', () => {
    const text = fc.string({ unit: fc.constantFrom('"', '\\', '{', '}', 'a', '\n') });
    fc.assert(
      fc.property(fc.dictionary(text, text), fc.integer({ min: 1, max: 9 }), (args, size) => {
        const whole = JSON.stringify(args);
        const parts = Array.from({ length: Math.ceil(whole.length / size) }, (_, k) => whole.slice(k * size, (k + 1) * size));
        expect(calls(decode(parts.map((part) => piece({}, 'f', part))))).toEqual([['f', args]]);
      }),
    );
  });

  it('whole calls that share index 0 and have no id are calls of their own', () => {
    expect(calls(decode([piece({ index: 0 }, 'a', '{"n":1}'), piece({ index: 0 }, 'a', '{"n":2}')]))).toHaveLength(2);
  });

  it('the same id under two indexes is two calls, and both get ids of their own', () => {
    const events = decode([piece({ index: 0, id: 'x' }, 'a', '{}'), piece({ index: 1, id: 'x' }, 'b', '{}')]);
    const ids = events.flatMap((event) => (event.type === 'toolCall' ? [event.call.id] : []));
    expect([ids.length, ids[0], new Set(ids).size]).toEqual([2, 'x', 2]);
  });

  it('an id that comes after the name belongs to the open call', () => {
    expect(calls(decode([piece({ index: 0 }, 'a', ''), piece({ index: 0, id: 'late' }, undefined, '{"n":1}')]))).toEqual([['a', { n: 1 }]]);
  });

  it('an id of an earlier turn is not used again', () => {
    const events = decode([piece({ index: 0, id: 'call_0' }, 'a', '{}')], { usedIds: ['call_0'] });
    expect(events.find((event) => event.type === 'toolCall')?.call.id).toMatch(/^call_[0-9a-f]{24}$/);
  });

  it('null arguments are none, a list is not an object', () => {
    const events = decode([piece({ index: 0 }, 'a', 'null'), piece({ index: 1 }, 'b', '[1]')]);
    expect(events).toMatchObject([
      { call: { arguments: {}, rawArguments: '{}' } },
      { call: { argumentsError: 'not a JSON object' } },
      { type: 'done', stop: 'tool_calls' },
    ]);
  });

  it('the start comes once, however often the answer is named', () => {
    const decoder = chatDecoder();
    expect(['r1', 'r1', 'r2'].flatMap((id) => decoder.push({ id }))).toEqual([{ type: 'start', responseId: 'r1' }]);
  });

  it('a call without a name is a failure', () => {
    expect(() => decode([piece({ index: 0 }, undefined, '{}')])).toThrow('tool call without a name');
  });

  it('arguments cut anywhere come out whole, for any number of calls', () => {
    const cutCall = fc.record({ args: fc.dictionary(fc.string({ minLength: 1 }), fc.string()), size: fc.integer({ min: 1, max: 9 }) });
    fc.assert(
      fc.property(fc.array(cutCall, { maxLength: 4 }), fc.boolean(), (list, withIndex) => {
        const deltas = list.flatMap(({ args, size }, i) => {
          const text = JSON.stringify(args);
          const head = piece(withIndex ? { index: i, id: `c${i}` } : { id: `c${i}` }, `f${i}`, '');
          const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, k) => text.slice(k * size, (k + 1) * size));
          return [head, ...parts.map((part) => piece(withIndex ? { index: i } : {}, undefined, part))];
        });
        expect(calls(decode(deltas))).toEqual(list.map(({ args }, i) => [`f${i}`, args]));
      }),
    );
  });

  it.each<[string | null, boolean, string]>([
    ['length', false, 'length'],
    ['content_filter', false, 'content_filter'],
    ['tool_calls', false, 'tool_calls'],
    ['eos', false, 'tool_calls'],
    [null, true, 'tool_calls'],
  ])('finish %p, [DONE] %p: %s', (finish, done, stop) => {
    const events = decode([{ content: 'x' }, piece({ index: 0, id: 'c' }, 'a', '{}')], { finish, done });
    expect(events.at(-1)).toEqual({ type: 'done', stop });
    expect(events.some(({ type }) => type === 'toolCall')).toBe(stop === 'tool_calls');
  });

  it.each(['error', 'network_error', 'insufficient_system_resource', 'function_call_filter: MALFORMED_FUNCTION_CALL'])(
    'finish %s is a failure',
    (finish) => {
      expect(() => decode([{ content: 'x' }], { finish })).toThrow(finish);
    },
  );

  it.each([
    { object: 'error', message: 'slow', code: 429 },
    { message: 'slow', type: 'rate_limit_error' },
    { choices: [{ delta: {}, finish_reason: 'error', error: { code: 429, message: 'slow' } }] },
  ])('%j is an error, though not in its place', (chunk) => {
    expect(() => chatDecoder().push(chunk)).toThrow(RateLimitError);
  });

  it('no finish reason and no [DONE] is a broken stream', () => {
    expect(() => decode([{ content: 'x' }], { finish: null })).toThrow('stream ended early');
  });

  it('a refusal is text, and the stop says so', () => {
    expect(decode([{ refusal: 'I will not' }])).toEqual([
      { type: 'text', text: 'I will not' },
      { type: 'done', stop: 'refusal' },
    ]);
  });

  it('content in parts is text; null is nothing', () => {
    expect(
      decode([
        {
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        { content: null },
      ])[0],
    ).toEqual({ type: 'text', text: 'ab' });
  });

  it('chunks without choices are passed over', () => {
    const decoder = chatDecoder();
    expect([decoder.push({ choices: null }), decoder.push({ choices: [] }), decoder.push({})].flat()).toEqual([]);
  });

  it.each<[JsonObject, Partial<Record<string, number>>]>([
    [
      { prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 } },
      { inputTokens: 3, cachedInputTokens: 4, cacheCreationTokens: 3 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 6 },
      { inputTokens: 4, cachedInputTokens: 6 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 10 },
      { inputTokens: 0, cachedInputTokens: 10 },
    ],
    [
      { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 12 },
      { inputTokens: 0, cachedInputTokens: 12 },
    ],
    [
      { prompt_tokens: 1, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } },
      { outputTokens: 2, reasoningTokens: 1 },
    ],
    [{ prompt_tokens: 1, completion_tokens: 2, cost: 0.25 }, { costUSD: 0.25 }],
    [
      { prompt_tokens: 1, cost: 0.25, is_byok: true, cost_details: { upstream_inference_cost: 1 } },
      { costUSD: 1.25, outputTokens: 0 },
    ],
  ])('usage %j', (usage, expected) => {
    for (const chunk of [
      { choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }], usage },
      { choices: [{ delta: {}, finish_reason: 'stop', usage }] },
    ]) {
      const decoder = chatDecoder();
      decoder.push(chunk);
      expect(decoder.end()).toContainEqual({ type: 'usage', usage: expect.objectContaining(expected) });
    }
  });

  it('what a model of Mistral thinks is among the parts of its content', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
    expect(decode([{ content: [thinking, { type: 'text', text: 'yes' }] }]).slice(0, 2)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'yes' },
    ]);
  });

  it.each(['flex', 'priority'])('the service tier %s has a price of its own', (service_tier) => {
    const decoder = chatDecoder();
    decoder.push({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }], usage: { prompt_tokens: 1 }, service_tier });
    expect(decoder.end()[0]).toMatchObject({ usage: { serviceTier: service_tier } });
  });

  it('the usual service tier is not told', () => {
    const decoder = chatDecoder();
    decoder.push({ choices: [{ delta: {}, finish_reason: 'stop' }], usage: { prompt_tokens: 1 }, service_tier: 'default' });
    expect(decoder.end()[0]).not.toHaveProperty('usage.serviceTier');
  });
});

describe('reasoning that a server wants back', () => {
  function replayed(replay: ChatDecoderOptions['replay'], deltas: readonly JsonObject[]): readonly JsonValue[] {
    const decoder = chatDecoder({ backend: 'router', model: 'x/y', replay });
    for (const delta of deltas) decoder.push({ choices: [{ delta }] });
    decoder.push({ choices: [{ delta: { content: 'x' }, finish_reason: 'stop' }] });
    return decoder.end().flatMap((event) => {
      if (event.type !== 'replay') return [];
      expect([event.block.provider, event.block.model]).toEqual(['router', 'x/y']);
      return [event.block.data];
    });
  }

  it('is its text', () => {
    const deltas = [{ reasoning_content: 'a' }, { reasoning_content: 'b' }];
    expect(replayed('reasoning_content', deltas)).toEqual([{ reasoning_content: 'ab' }]);
    expect(replayed('none', deltas)).toEqual([]);
    expect(replayed('reasoning_content', [])).toEqual([]);
  });

  it('is its details, each as if it had come whole', () => {
    const encrypted = { type: 'reasoning.encrypted', data: 'Zm9v', id: 'e', format: 'f', index: 2 };
    const details = [
      { type: 'reasoning.summary', summary: 'So', format: 'f', index: 0 },
      { type: 'reasoning.summary', summary: ' be it', format: 'f', index: 0 },
      { type: 'reasoning.text', text: 'I ', signature: null, index: 1, id: null },
      { type: 'reasoning.text', text: 'think', index: 1 },
      { type: 'reasoning.text', signature: 's', index: 1 },
      { type: 'reasoning.text', text: '.', signature: null, index: 1 },
      encrypted,
      { ...encrypted, id: 'g', index: 3 },
      { type: 'reasoning.encrypted', data: 'YQ==' },
      { type: 'reasoning.encrypted', data: 'Yg==' },
    ];
    expect(replayed('reasoning_details', [...details.map((one) => ({ reasoning_details: [one] })), { reasoning_details: null }])).toEqual([
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'So be it', format: 'f', index: 0 },
          { type: 'reasoning.text', text: 'I think.', signature: 's', index: 1, id: null },
          encrypted,
          { ...encrypted, id: 'g', index: 3 },
          { type: 'reasoning.encrypted', data: 'YQ==' },
          { type: 'reasoning.encrypted', data: 'Yg==' },
        ],
      },
    ]);
    expect(replayed('reasoning_details', [{ reasoning: 'no details' }])).toEqual([]);
    const opaque = [{ reasoning_text: 'h' }, { reasoning_text: 'm' }, { reasoning_opaque: 'x' }, { reasoning_opaque: null }];
    expect(replayed('reasoning_opaque', opaque)).toEqual([{ reasoning_opaque: 'x', reasoning_text: 'hm' }]);
    expect(replayed('reasoning_opaque', [{ reasoning_opaque: 'x' }])).toEqual([{ reasoning_opaque: 'x' }]);
    expect(replayed('reasoning_opaque', [{ reasoning_text: 'no proof' }])).toEqual([]);
    expect(replayed('none', opaque)).toEqual([]);
  });
});
