import {
  userText,
  type AssistantMessage,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type ToolCall,
  type ToolMessage,
} from '#model';
import { serverOf } from '../server.js';
import { responsesBody } from './request.js';

const server = serverOf({ name: 'openai', baseUrl: undefined, key: undefined, defaultModel: undefined });
const body = (more: Partial<ModelRequest>, facts = {}): JsonObject =>
  responsesBody({ model: 'gpt-6.1-sol', system: '', messages: [userText('hi')], tools: [], params: {}, ...more }, server, facts);
const input = (...messages: ModelRequest['messages']): JsonValue | undefined => body({ messages }).input;
const settings = (params: ModelRequest['params'], model = 'gpt-6-sol'): JsonObject => {
  const { model: _m, input: _i, store: _s, stream: _t, include: _e, ...rest } = body({ params, model });
  return rest;
};
const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({ id, name: 'ls', arguments: {}, rawArguments: '{}', ...more });
const ours = (data: JsonValue, model = 'gpt-6.1-sol') => ({ type: 'replay', provider: 'openai', model, data }) as const;
const text = (value: string) => ({ type: 'text', text: value }) as const;
const assistant = (content: AssistantMessage['content'], ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content,
  toolCalls,
});
const result = (toolCallId: string, ...content: ToolMessage['content']): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content,
  isError: false,
});
const sentCall = (call_id: string) => ({ type: 'function_call', call_id, name: 'ls', arguments: '{}' });
const rs = (id: string) => ({ type: 'reasoning', id, summary: [], encrypted_content: 'RU5D' });

describe('the input of a response', () => {
  it('has reasoning before the call it belongs to, and results behind all calls', () => {
    expect(
      input(userText('hi'), assistant([ours(rs('rs_1')), text('ok')], call('c1'), call('c2')), result('c1', text('a')), result('c2')),
    ).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      rs('rs_1'),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'ok' }] },
      sentCall('c1'),
      sentCall('c2'),
      { type: 'function_call_output', call_id: 'c1', output: 'a' },
      { type: 'function_call_output', call_id: 'c2', output: '(no output)' },
    ]);
  });

  it('has calls where they stood, and the phase of a text', () => {
    const content = [ours({ type: 'phase', phase: 'commentary' }), text('Looking.'), ours({ type: 'calls', before: 1 }), ours(rs('rs_2'))];
    expect(input(userText('hi'), assistant(content, call('c1'), call('c2')))).toMatchObject([
      {},
      { role: 'assistant', phase: 'commentary' },
      sentCall('c1'),
      rs('rs_2'),
      sentCall('c2'),
      { call_id: 'c1', output: '(the call was not run)' },
      { call_id: 'c2' },
    ]);
  });

  it('has no reasoning that nothing follows', () => {
    const alone = input(
      userText('a'),
      assistant([ours(rs('rs_1'))]),
      userText('b'),
      assistant([text('c'), ours(rs('rs_2'))]),
      userText('d'),
    );
    expect(JSON.stringify(alone)).not.toContain('rs_');
  });

  it('has no reasoning of another provider or model', () => {
    const foreign = { type: 'replay', provider: 'other', model: 'gpt-6.1-sol', data: rs('rs_1') } as const;
    const mixed = input(
      userText('a'),
      assistant([foreign, ours(rs('rs_2'), 'gpt-6-sol'), ours('text'), ours({ reasoning_details: [] }), text('c')], call('c1')),
      result('c1'),
    );
    expect(JSON.stringify(mixed)).not.toContain('rs_');
    expect(mixed).toHaveLength(4);
  });

  it('has images as parts, also in results', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
    const part = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
    const items = input(
      { role: 'user', content: [text(''), text('see'), image] },
      assistant([], call('c1')),
      result('c1', text('t'), image),
    );
    expect(items).toMatchObject([
      { content: [{ type: 'input_text', text: 'see' }, part] },
      {},
      { output: [{ type: 'input_text', text: 't' }, part] },
    ]);
  });

  it('has ids and arguments that are taken, and no lone surrogate', () => {
    const long = `call.${'x'.repeat(80)}`;
    const broken = call(long, { rawArguments: '{"a":', argumentsError: 'cut' });
    const escaped = call('c2', { arguments: { a: '\uD800' }, rawArguments: '{"a":"\\ud800"}' });
    const items = input(userText('a\uD800'), assistant([], broken, escaped), result(long, text('b\uD800')), result('c2'));
    const own = `call_${'x'.repeat(59)}`;
    expect(items).toMatchObject([
      { content: [{ text: 'a\uFFFD' }] },
      { call_id: own, arguments: '{}' },
      { arguments: '{"a":"\uFFFD"}' },
      { call_id: own, output: 'b\uFFFD' },
      {},
    ]);
  });

  it('an empty message says so', () => {
    expect(input({ role: 'user', content: [text('')] })).toMatchObject([{ content: [{ type: 'input_text', text: '(empty)' }] }]);
  });
});

describe('the settings of a response', () => {
  it.each<[string, ModelRequest['params'], JsonObject]>([
    ['gpt-6-sol', { reasoningEffort: 'high' }, { reasoning: { effort: 'high', summary: 'auto' } }],
    ['gpt-6-sol', { reasoningEffort: 'high', includeReasoning: false }, { reasoning: { effort: 'high' } }],
    ['gpt-6-sol', { includeReasoning: true }, { reasoning: { summary: 'auto' } }],
    [
      'gpt-6-sol',
      { reasoningEffort: 'none', temperature: 0.5, topP: 0.1 },
      { reasoning: { effort: 'none' }, temperature: 0.5, top_p: 0.1 },
    ],
    ['gpt-6-sol', { thinkingBudget: 0 }, { reasoning: { effort: 'none' } }],
    ['gpt-6-sol', { thinkingBudget: 5_000 }, {}],
    ['gpt-6.1-sol', { reasoningEffort: 'none', temperature: 0.5 }, { reasoning: { effort: 'low', summary: 'auto' } }],
    [
      'gpt-5-mini',
      { reasoningEffort: 'xhigh', temperature: 0.5, stop: ['x'], topK: 3 },
      { reasoning: { effort: 'high', summary: 'auto' } },
    ],
    ['o3', { reasoningEffort: 'minimal' }, { reasoning: { effort: 'low', summary: 'auto' } }],
    ['gpt-4.1', { reasoningEffort: 'low', temperature: 0.5, includeReasoning: true }, { temperature: 0.5 }],
    ['served-here', { reasoningEffort: 'low', temperature: 0.5 }, { reasoning: { effort: 'low', summary: 'auto' }, temperature: 0.5 }],
    ['o3', { maxTokens: 5 }, { max_output_tokens: 16 }],
    ['o3', { maxCompletionTokens: 500 }, { max_output_tokens: 500 }],
    ['o3', { verbosity: 'low', responseFormat: 'json_object' }, { text: { verbosity: 'low', format: { type: 'json_object' } } }],
  ])('of %s with %j', (model, params, expected) => {
    expect(settings(params, model)).toEqual(expected);
  });

  it.each<[JsonObject]>([
    [{ type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object' }, strict: true } }],
    [{ type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true }],
  ])('a schema stands beside its type: %j', (responseFormat) => {
    const format = { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true };
    expect(settings({ responseFormat })).toEqual({ text: { format } });
  });

  it('what is known of the very model wins', () => {
    const facts = { capabilities: { reasoning: true, efforts: ['low', 'high'], temperature: false } };
    const params = { reasoningEffort: 'none', temperature: 1 };
    expect(body({ model: 'gpt-4.1', params }, facts)).toMatchObject({
      reasoning: { effort: 'low' },
      include: ['reasoning.encrypted_content'],
    });
    expect(body({ model: 'gpt-4.1', params }, facts)).not.toHaveProperty('temperature');
    expect(body({ model: 'gpt-4.1' })).not.toHaveProperty('include');
  });

  it('a tool has a schema of an object, which is not strict', () => {
    expect(body({ tools: [{ name: 'a', description: 'd', parameters: {} }] }).tools).toEqual([
      { type: 'function', name: 'a', description: 'd', parameters: { type: 'object' }, strict: false },
    ]);
  });

  it('a conversation has a key of its own', () => {
    expect(body({ conversation: 'a'.repeat(70) }).prompt_cache_key).toBe('a'.repeat(64));
    expect(body({})).not.toHaveProperty('prompt_cache_key');
  });
});
