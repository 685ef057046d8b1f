import { userText, type AssistantMessage, type JsonObject, type ModelRequest, type ToolCall, type ToolMessage } from '#model';
import type { PresetName } from './quirks.js';
import { chatBody } from './request.js';
import { responsesBody } from './responses/request.js';
import { serverOf } from './server.js';

const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: 'ls',
  arguments: { d: '/' },
  rawArguments: '{"d": "/"}',
  ...more,
});
const assistant = (text: string, ...toolCalls: ToolCall[]): AssistantMessage => ({
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'text', text }],
  toolCalls,
});
const result = (toolCallId: string, ...content: ToolMessage['content']): ToolMessage => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content,
  isError: false,
});
const body = (more: Partial<ModelRequest>, preset: PresetName = 'compatible'): ReturnType<typeof chatBody> => {
  const server = serverOf({ name: 'own', baseUrl: 'http://x/v1', key: undefined, defaultModel: undefined, quirks: { preset } });
  return chatBody({ model: 'm', system: '', messages: [userText('hi')], tools: [], params: {}, ...more }, server);
};
/** What of a body is neither the prompt nor always the same. */
const settings = (params: ModelRequest['params'], preset: PresetName, model = 'm'): JsonObject => {
  const { model: _m, messages: _s, stream: _t, stream_options: _o, ...rest } = body({ model, params }, preset);
  return rest;
};

describe('the body of a chat completion', () => {
  it('is small when nothing is set', () => {
    expect(body({})).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('has the system text first and the tools as functions', () => {
    const parameters = { type: 'object', properties: {} };
    expect(body({ system: 'be brief', tools: [{ name: 'ls', description: 'lists', parameters }] })).toMatchObject({
      messages: [{ role: 'system', content: 'be brief' }, { role: 'user' }],
      tools: [{ type: 'function', function: { name: 'ls', description: 'lists', parameters } }],
    });
  });

  it('has the parameters that were given, under the names of the wire', () => {
    const params = { temperature: 0, topP: 0.5, maxCompletionTokens: 9, stop: ['x'], reasoningEffort: 'low', thinkingBudget: 5 };
    const { model: _m, messages: _s, stream: _t, stream_options: _o, ...rest } = body({ params });
    expect(rest).toEqual({ temperature: 0, top_p: 0.5, max_completion_tokens: 9, stop: ['x'], reasoning_effort: 'low' });
  });

  it('sends calls back with the exact text of their arguments, and results as text', () => {
    const { messages } = body({ messages: [userText('hi'), assistant('', call('c1')), result('c1', { type: 'text', text: 'bin' })] });
    expect(messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{"d": "/"}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'bin' },
    ]);
  });

  it('sends valid JSON for arguments that were not', () => {
    const broken = call('c1', { arguments: {}, rawArguments: '{"d": ', argumentsError: 'cut' });
    const escaped = call('c2', { arguments: { d: '\uD800' }, rawArguments: '{"d":"\\ud800"}' });
    const { messages } = body({ messages: [userText('hi'), assistant('', broken, escaped), result('c1'), result('c2')] });
    expect(JSON.stringify(messages)).toContain(
      JSON.stringify([{ arguments: '{}' }, { arguments: '{"d":"\uFFFD"}' }].map((one) => one.arguments)[0]),
    );
    expect(messages).toMatchObject([
      {},
      { tool_calls: [{ function: { arguments: '{}' } }, { function: { arguments: '{"d":"\uFFFD"}' } }] },
      {},
      {},
    ]);
  });

  it('a result without output says so', () => {
    const { messages } = body({ messages: [userText('hi'), assistant('', call('c1')), result('c1', { type: 'text', text: '' })] });
    expect(messages).toMatchObject([{}, {}, { content: '(no output)' }]);
  });

  it('images of results come behind all results of the turn', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
    const { messages } = body({
      messages: [
        userText('hi'),
        assistant('look', call('c1'), call('c2')),
        result('c1', image),
        result('c2', { type: 'text', text: 'b' }),
        userText('and?'),
      ],
    });
    expect(messages).toEqual([
      expect.anything(),
      expect.objectContaining({ content: 'look' }),
      { role: 'tool', tool_call_id: 'c1', content: '[image: image/png, shown below]' },
      { role: 'tool', tool_call_id: 'c2', content: 'b' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Images of the tool results above:' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      { role: 'user', content: 'and?' },
    ]);
  });

  it('an empty message says so, and a schema is one of an object', () => {
    expect(body({ messages: [userText('')] }).messages).toEqual([{ role: 'user', content: '(empty)' }]);
    expect(body({ tools: [{ name: 'a', description: '', parameters: {} }] }).tools).toMatchObject([
      { function: { parameters: { type: 'object' } } },
    ]);
  });

  it('images of a user come as parts; blocks of other providers and empty texts stay away', () => {
    const replay = { type: 'replay', provider: 'x', model: 'y', data: 'secret' } as const;
    const { messages } = body({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: '' },
            { type: 'text', text: 'see' },
            { type: 'image', mimeType: 'image/png', data: 'AA' },
          ],
        },
        { role: 'assistant', content: [replay, { type: 'text', text: 'ok' }], toolCalls: [] },
      ],
    });
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'see' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
      { role: 'assistant', content: 'ok' },
    ]);
  });

  it('holds no lone surrogate', () => {
    const lone = 'a\uD800b';
    const out = body({
      system: lone,
      messages: [
        userText(lone),
        assistant(lone, call('c1', { rawArguments: `{"d":"${lone}"}` })),
        result('c1', { type: 'text', text: lone }),
      ],
    });
    expect(JSON.stringify(out)).not.toMatch(/\\ud800/);
  });
});

describe('what a chat completion says of', () => {
  it.each<[PresetName, ModelRequest['params'], JsonObject]>([
    ['compatible', { maxTokens: 5, maxCompletionTokens: 6 }, { max_tokens: 5 }],
    ['compatible', { maxCompletionTokens: 6 }, { max_completion_tokens: 6 }],
    ['openai', { maxTokens: 5, maxCompletionTokens: 6 }, { max_completion_tokens: 5 }],
    ['deepseek', { maxTokens: 5, maxCompletionTokens: 6 }, { max_tokens: 5 }],
    ['openai', { topK: 1, minP: 0.1, topA: 0.1, repetitionPenalty: 1, includeReasoning: true, topP: 0.5 }, { top_p: 0.5 }],
    ['llama.cpp', { topK: 1, minP: 0.1, topA: 0.1, repetitionPenalty: 1.1 }, { top_k: 1, min_p: 0.1, repeat_penalty: 1.1 }],
    ['vllm', { repetitionPenalty: 1.1 }, { repetition_penalty: 1.1 }],
    ['compatible', { responseFormat: 'json_object' }, { response_format: { type: 'json_object' } }],
    [
      'compatible',
      { responseFormat: { type: 'json_schema', schema: { type: 'object' } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: { type: 'object' } } } },
    ],
    [
      'compatible',
      { responseFormat: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } },
      { response_format: { type: 'json_schema', json_schema: { name: 'n', schema: {} } } },
    ],
  ])('%s given %j', (preset, params, expected) => {
    expect(settings(params, preset)).toEqual(expected);
  });

  it.each<[PresetName, ModelRequest['params'], JsonObject]>([
    ['compatible', { reasoningEffort: 'low' }, { reasoning_effort: 'low' }],
    ['compatible', { thinkingBudget: 5 }, {}],
    ['openrouter', { reasoningEffort: 'low', thinkingBudget: 5 }, { reasoning: { effort: 'low' } }],
    ['openrouter', { thinkingBudget: 5, includeReasoning: false }, { reasoning: { max_tokens: 5, exclude: true } }],
    ['openrouter', { thinkingBudget: 0 }, { reasoning: { effort: 'none' } }],
    ['openrouter', { includeReasoning: true }, { reasoning: { enabled: true } }],
    ['openrouter', { includeReasoning: false }, { reasoning: { exclude: true } }],
    ['together', { reasoningEffort: 'high' }, { reasoning: { enabled: true }, reasoning_effort: 'high' }],
    ['together', { reasoningEffort: 'none' }, { reasoning: { enabled: false } }],
    ['deepseek', { reasoningEffort: 'max' }, { thinking: { type: 'enabled' }, reasoning_effort: 'max' }],
    ['zai', { thinkingBudget: 0 }, { thinking: { type: 'disabled' } }],
    ['zai', { thinkingBudget: 9 }, { thinking: { type: 'enabled' } }],
    ['qwen', { thinkingBudget: 9 }, { enable_thinking: true, thinking_budget: 9 }],
    ['qwen', { reasoningEffort: 'none', thinkingBudget: 9 }, { enable_thinking: false }],
    ['vllm', { reasoningEffort: 'none' }, { chat_template_kwargs: { enable_thinking: false } }],
    ['llama.cpp', { reasoningEffort: 'low' }, { chat_template_kwargs: { enable_thinking: true }, reasoning_effort: 'low' }],
    ['llama.cpp', {}, {}],
  ])('thinking to %s given %j', (preset, params, expected) => {
    expect(settings(params, preset)).toEqual(expected);
  });

  it.each<[string, ModelRequest['params'], JsonObject]>([
    ['o3', { reasoningEffort: 'xhigh', temperature: 0.5, stop: ['x'], presencePenalty: 1 }, { reasoning_effort: 'high' }],
    ['openai/gpt-5.2', { reasoningEffort: 'max', topP: 0.5 }, { reasoning_effort: 'xhigh' }],
    ['gpt-5.2', { reasoningEffort: 'none', topP: 0.5, stop: ['x'] }, { reasoning_effort: 'none', top_p: 0.5 }],
    ['gpt-4o', { reasoningEffort: 'low', temperature: 0.5, stop: ['x'] }, { temperature: 0.5, stop: ['x'] }],
    ['gpt-oss-120b', { reasoningEffort: 'none', temperature: 0.5 }, { reasoning_effort: 'low', temperature: 0.5 }],
    ['grok-4', { reasoningEffort: 'low', temperature: 0.5, stop: ['x'] }, { temperature: 0.5 }],
    ['grok-4.5', { reasoningEffort: 'none' }, { reasoning_effort: 'low' }],
    ['gpt-6-sol', { reasoningEffort: 'minimal' }, { reasoning_effort: 'low' }],
    ['qwen3', { reasoningEffort: 'own-word' }, { reasoning_effort: 'own-word' }],
    ['gpt-5', { reasoningEffort: 'own-word' }, { reasoning_effort: 'own-word' }],
  ])('the model %s given %j', (model, params, expected) => {
    expect(settings(params, 'compatible', model)).toEqual(expected);
  });

  it('a model that has no efforts is switched off by its server', () => {
    const server = serverOf({ name: 'own', baseUrl: 'https://api.z.ai/v4', key: undefined, defaultModel: undefined });
    const request = { model: 'm', system: '', messages: [userText('hi')], tools: [], params: { thinkingBudget: 0 } };
    expect(chatBody(request, server, { capabilities: { efforts: [] } })).toMatchObject({ thinking: { type: 'disabled' } });
  });

  it('fields of one’s own replace others', () => {
    const quirks = { body: { provider: { order: ['a'] }, stream_options: { include_usage: false } } };
    const server = serverOf({ name: 'own', baseUrl: 'http://x', key: undefined, defaultModel: undefined, quirks });
    const request = { model: 'm', system: '', messages: [userText('hi')], tools: [], params: {} };
    expect(chatBody(request, server)).toMatchObject(quirks.body);
    expect(responsesBody(request, server)).toMatchObject(quirks.body);
  });

  it('who the system is', () => {
    const roleOf = (model: string, preset: PresetName): unknown => body({ model, system: 's' }, preset).messages;
    expect(roleOf('o3', 'openai')).toMatchObject([{ role: 'developer' }, {}]);
    expect(roleOf('gpt-4o', 'openai')).toMatchObject([{ role: 'system' }, {}]);
    expect(roleOf('o3', 'openrouter')).toMatchObject([{ role: 'system' }, {}]);
  });

  it('the conversation is for OpenAI', () => {
    expect(body({ conversation: 'c1' }, 'openai').prompt_cache_key).toBe('c1');
    expect(body({ conversation: 'c1' })).not.toHaveProperty('prompt_cache_key');
  });

  it('the usage is not asked of who tells it anyway', () => {
    expect(body({}, 'mistral')).not.toHaveProperty('stream_options');
  });
});

describe('ids of calls', () => {
  const sent = (preset: PresetName, ...ids: readonly string[]): readonly (readonly string[])[] => {
    const turns = ids.flatMap((id) => [assistant('', call(id)), result(id)]);
    const all = JSON.stringify(body({ messages: [userText('hi'), ...turns] }, preset).messages);
    return [...all.matchAll(/"id":"(.*?)".*?"tool_call_id":"(.*?)"/g)].map(([, own = '', other = '']) => [own, other]);
  };

  it('go back as they came', () => {
    expect(sent('compatible', 'call:1.x', 'y'.repeat(70))).toEqual([
      ['call:1.x', 'call:1.x'],
      ['y'.repeat(70), 'y'.repeat(70)],
    ]);
  });

  it('are short at OpenAI', () => {
    expect(sent('openai', 'call_1', 'y'.repeat(70), 'y'.repeat(60)).map(([own]) => own)).toEqual([
      'call_1',
      'y'.repeat(40),
      `${'y'.repeat(38)}-2`,
    ]);
  });

  it('have nine letters and digits at Mistral, the same each time, and are different', () => {
    const ids = sent('mistral', 'abcdefGH1', 'toolu_01', 'toolu_02', 'toolu_01');
    expect(ids).toEqual(sent('mistral', 'abcdefGH1', 'toolu_01', 'toolu_02', 'toolu_01'));
    expect(ids[0]).toEqual(['abcdefGH1', 'abcdefGH1']);
    for (const [own, other] of ids) expect([own, /^[A-Za-z0-9]{9}$/.test(own ?? '')]).toEqual([other, true]);
    expect(new Set(ids.map(([own]) => own)).size).toBe(4);
  });
});

describe('what goes back to', () => {
  const replay = (data: JsonObject, model = 'm') => ({ type: 'replay', provider: 'own', model, data }) as const;
  const answer = (data: JsonObject, model?: string): AssistantMessage => ({
    role: 'assistant',
    content: [replay(data, model), { type: 'text', text: 'ok' }],
    toolCalls: [call('c1')],
  });

  it('OpenRouter are the details of reasoning, unchanged', () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'x', id: null }];
    const { messages } = body({ messages: [userText('hi'), answer({ reasoning_details }), result('c1')] }, 'openrouter');
    expect(messages).toMatchObject([{}, { content: 'ok', reasoning_details }, {}]);
    const proof = { reasoning_opaque: 'x', reasoning_text: 'hm' };
    const copilot = body({ messages: [userText('hi'), answer(proof), result('c1')] }, 'copilot');
    expect(copilot.messages).toMatchObject([{}, { content: 'ok', ...proof }, {}]);
  });

  it('another model or server is none of it', () => {
    const reasoning_details = [{ type: 'reasoning.text', text: 'x' }];
    const messages = [userText('hi'), answer({ reasoning_details }, 'n'), result('c1')];
    expect(JSON.stringify(body({ messages }, 'openrouter'))).not.toContain('reasoning_details');
    const own = [userText('hi'), answer({ reasoning_details }), result('c1')];
    expect(JSON.stringify(body({ messages: own }, 'vllm'))).not.toContain('reasoning');
  });

  it('DeepSeek is the text of reasoning, and the lack of it beside calls', () => {
    const messages = [
      userText('hi'),
      answer({ reasoning_content: 'hm' }),
      result('c1'),
      assistant('', call('c2')),
      result('c2'),
      assistant('x'),
    ];
    expect(body({ messages }, 'deepseek').messages).toMatchObject([
      {},
      { reasoning_content: 'hm' },
      {},
      { reasoning_content: '' },
      {},
      expect.not.objectContaining({ reasoning_content: expect.anything() }),
    ]);
  });

  it('a server that takes images in results, and one that takes none', () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'AA' } as const;
    const server = serverOf({ name: 'own', baseUrl: 'http://x', key: undefined, defaultModel: undefined });
    const messages = [userText('hi'), assistant('', call('c1')), result('c1', image)];
    const sent = (toolImages: 'tool_message' | 'none'): JsonObject =>
      chatBody({ model: 'm', system: '', messages, tools: [], params: {} }, { ...server, quirks: { ...server.quirks, toolImages } });
    expect(sent('tool_message').messages).toMatchObject([{}, {}, { role: 'tool', content: [{ type: 'image_url' }] }]);
    expect(sent('none').messages).toMatchObject([{}, {}, { role: 'tool', content: '[image: image/png, not shown]' }]);
  });
});

describe('marks of what may be cached', () => {
  const MARK = { cache_control: { type: 'ephemeral' } };
  const tools = ['a', 'b'].map((name) => ({ name, description: '', parameters: {} }));
  const messages = [userText('one'), assistant('', call('c1'), call('c2')), result('c1'), result('c2', { type: 'text', text: 'r' })];

  it('stand at the last tool, the system and the last two turns of the user', () => {
    expect(body({ model: 'anthropic/claude-opus-5', system: 's', tools, messages }, 'openrouter')).toMatchObject({
      tools: [expect.not.objectContaining(MARK), MARK],
      messages: [
        { role: 'system', content: [{ type: 'text', text: 's', ...MARK }] },
        { role: 'user', content: [{ type: 'text', text: 'one', ...MARK }] },
        { role: 'assistant', content: null },
        { role: 'tool', content: '(no output)' },
        { role: 'tool', content: [{ type: 'text', text: 'r', ...MARK }] },
      ],
    });
  });

  it('are four at most', () => {
    const more = [...messages, assistant('ok'), userText('two'), assistant('ok'), userText('three')];
    const sent = JSON.stringify(body({ model: 'anthropic/claude-opus-5', system: 's', tools, messages: more }, 'openrouter'));
    expect(sent.split('cache_control')).toHaveLength(5);
  });

  it('are for models of Anthropic, where they are understood', () => {
    expect(JSON.stringify(body({ model: 'openai/gpt-6', system: 's', tools, messages }, 'openrouter'))).not.toContain('cache_control');
    expect(JSON.stringify(body({ model: 'anthropic/claude-opus-5', tools, messages }))).not.toContain('cache_control');
  });
});
