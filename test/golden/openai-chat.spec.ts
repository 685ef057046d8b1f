// What goes to OpenAI's chat completions and to servers that are compatible, byte for byte; the strict scripted server takes it all.
// The numbers are sections of backends.md.
import { OpenAIBackend, startScriptedServer, type OpenAIOptions, type ScriptedServer, type SeenRequest } from '#backends';
import { parseJson, userText, type JsonObject, type JsonValue, type ModelRequest } from '#model';
import { assistant, call, image, result, text } from './messages.js';
import { answered, requestTo } from './sent.js';
import { anyModel } from './strict-face.js';

type Preset = NonNullable<NonNullable<OpenAIOptions['quirks']>['preset']>;

const KEY = 'sk-golden-1';
const ENDING = { stream: true, stream_options: { include_usage: true } }; // 1.1 stream:true, stream_options.include_usage
const MARK = { cache_control: { type: 'ephemeral' } };
const hello = { role: 'user', content: 'hi' };

const parameters = { type: 'object', properties: { p: { type: 'string' } } };
const tools = [
  { name: 'read', description: 'Reads a file.', parameters },
  { name: 'ls', description: 'Lists.', parameters: {} },
];
const sentTools = [
  { type: 'function', function: { name: 'read', description: 'Reads a file.', parameters } }, // 1.1 tools
  { type: 'function', function: { name: 'ls', description: 'Lists.', parameters: { type: 'object' } } },
];

describe('a chat completion', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await startScriptedServer({ scripts: anyModel, key: KEY });
  });
  afterAll(async () => await server.close());

  /** What one request puts on the wire. */
  async function sent(preset: Preset, more: Partial<ModelRequest>): Promise<SeenRequest> {
    const at = { name: 'openai', baseUrl: server.url, key: KEY, defaultModel: undefined };
    const backend = new OpenAIBackend({ ...at, dialect: 'chat', quirks: { preset } });
    await answered(backend, requestTo('gpt-4.1', more));
    const seen = server.requests.at(-1);
    if (!seen) throw new Error('nothing was sent');
    return seen;
  }

  async function bodyOf(preset: Preset, more: Partial<ModelRequest>): Promise<JsonValue> {
    return parseJson((await sent(preset, more)).body);
  }

  it('goes to chat/completions with the key', async () => {
    const { method, path, headers } = await sent('openai', {});
    expect([method, path]).toEqual(['POST', '/v1/chat/completions']); // 1.1 POST {base}/chat/completions
    const { host: _host, 'content-length': _length, connection: _connection, ...ours } = headers;
    expect(ours).toEqual({
      authorization: `Bearer ${KEY}`, // 1.1 Authorization: Bearer
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'ollie',
    });
  });

  it('is small when nothing is set', async () => {
    expect(await bodyOf('compatible', { model: 'm' })).toEqual({ model: 'm', messages: [hello], ...ENDING });
  });

  it('of a whole conversation', async () => {
    const own = { type: 'replay', provider: 'openai', model: 'gpt-4.1', data: { reasoning_details: [] } } as const;
    const body = await bodyOf('openai', {
      system: 'Be brief.',
      tools,
      conversation: 'agent-1',
      messages: [
        { role: 'user', content: [text('look'), image('AAAA')] },
        assistant([own, text('Let me see.')], call('call_1', 'read', { p: 'a' }), call('toolu:2', 'ls')),
        result('call_1', 'read', [text('no such file')]),
        result('toolu:2', 'ls', [text('a.c'), image('BBBB')]),
        userText('and now?'),
        assistant([text('Nothing.')], call('call_3', 'ls')),
        userText('thanks'),
      ],
      params: { maxTokens: 900, temperature: 0.5, topP: 0.9, topK: 5, stop: ['END'], frequencyPenalty: 1, responseFormat: 'json_object' },
    });
    expect(body).toEqual({
      model: 'gpt-4.1',
      messages: [
        { role: 'system', content: 'Be brief.' }, // 1.1 role system
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }, // 1.1 image part
          ],
        },
        {
          role: 'assistant',
          content: 'Let me see.',
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"p":"a"}' } }, // 1.1 tool ids: send back exactly
            { id: 'toolu_2', type: 'function', function: { name: 'ls', arguments: '{}' } }, // 1.1 mapped when history moves
          ],
        },
        { role: 'tool', tool_call_id: 'call_1', content: 'no such file' }, // 1.1 a tool message's content is text
        { role: 'tool', tool_call_id: 'toolu_2', content: 'a.c\n[image: image/png, shown below]' },
        {
          role: 'user', // 1.1 images of results as a following user message
          content: [
            { type: 'text', text: 'Images of the tool results above:' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } },
          ],
        },
        { role: 'user', content: 'and now?' },
        {
          role: 'assistant',
          content: 'Nothing.',
          tool_calls: [{ id: 'call_3', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'call_3', content: '(the call was not run)' }, // 1.1 every orphaned call a synthetic result
        { role: 'user', content: 'thanks' },
      ],
      tools: sentTools,
      max_completion_tokens: 900, // 1.1 max_completion_tokens
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 1,
      response_format: { type: 'json_object' },
      stop: ['END'],
      prompt_cache_key: 'agent-1', // 1.1 prompt_cache_key
      ...ENDING,
    }); // no top_k: OpenAI has none
  });

  it('of a model that reasons', async () => {
    const params = { reasoningEffort: 'xhigh', temperature: 0.5, stop: ['END'], maxCompletionTokens: 900, verbosity: 'low' };
    expect(await bodyOf('openai', { model: 'o3', system: 'Be brief.', params })).toEqual({
      model: 'o3',
      messages: [{ role: 'developer', content: 'Be brief.' }, hello], // 1.1 developer only at OpenAI itself
      max_completion_tokens: 900,
      verbosity: 'low',
      reasoning_effort: 'high', // 1.1 reasoning_effort: the nearest that the model has
      ...ENDING,
    }); // no temperature and no stop: models that reason refuse them
  });

  it('of Anthropic’s model behind OpenRouter', async () => {
    const model = 'anthropic/claude-opus-5-5';
    const details = [{ type: 'reasoning.text', text: 'hm', signature: 'c2ln', index: 0 }];
    const ours = { type: 'replay', provider: 'openai', model, data: { reasoning_details: details } } as const;
    const body = await bodyOf('openrouter', {
      model,
      system: 'Be brief.',
      tools,
      messages: [userText('look'), assistant([ours], call('toolu_1', 'ls')), result('toolu_1', 'ls', [text('a.c')])],
      params: { reasoningEffort: 'high', maxTokens: 900 },
    });
    expect(body).toEqual({
      model,
      messages: [
        { role: 'system', content: [{ type: 'text', text: 'Be brief.', ...MARK }] }, // 1.3 cache_control parts, 1.4 system end
        { role: 'user', content: [{ type: 'text', text: 'look', ...MARK }] }, // 1.4 the user block before the last
        {
          role: 'assistant',
          content: null,
          reasoning_details: details, // 1.1 reasoning_details sent back unchanged
          tool_calls: [{ id: 'toolu_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: [{ type: 'text', text: 'a.c', ...MARK }] }, // 1.4 last user block
      ],
      tools: [sentTools[0], { ...sentTools[1], ...MARK }], // 1.4 last tool
      max_tokens: 900,
      reasoning: { effort: 'high' }, // 1.1 reasoning{effort} (OpenRouter)
      ...ENDING,
    });
  });

  const thought = (data: JsonValue) => ({ type: 'replay', provider: 'openai', model: 'm', data }) as const;

  it.each<[Preset, Partial<ModelRequest>, JsonObject]>([
    [
      'deepseek',
      {
        messages: [
          userText('hi'),
          assistant([thought({ reasoning_content: 'hm' })], call('c1', 'ls')),
          result('c1', 'ls', [text('a')]),
          assistant([], call('c2', 'ls')),
          result('c2', 'ls', [text('b')]),
        ],
        params: { maxTokens: 9, reasoningEffort: 'high' },
      },
      {
        messages: [
          hello,
          {
            role: 'assistant',
            content: null,
            reasoning_content: 'hm',
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'a' },
          {
            role: 'assistant',
            content: null,
            reasoning_content: '', // wanted beside calls, also where there was none
            tool_calls: [{ id: 'c2', type: 'function', function: { name: 'ls', arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: 'c2', content: 'b' },
        ],
        max_tokens: 9, // 1.1 max_tokens for many compatibles
        thinking: { type: 'enabled' }, // 1.1 thinking{type}
        reasoning_effort: 'high',
        ...ENDING,
      },
    ],
    [
      'mistral',
      {
        messages: [
          userText('hi'),
          assistant([], call('abc123XYZ', 'ls'), call('toolu_1', 'ls')),
          result('abc123XYZ', 'ls', []),
          result('toolu_1', 'ls', []),
        ],
        params: { maxTokens: 9, topK: 1 },
      },
      {
        messages: [
          hello,
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'abc123XYZ', type: 'function', function: { name: 'ls', arguments: '{}' } }, // 1.1 [A-Za-z0-9]{9}
              { id: expect.stringMatching(/^[A-Za-z0-9]{9}$/), type: 'function', function: { name: 'ls', arguments: '{}' } },
            ],
          },
          { role: 'tool', tool_call_id: 'abc123XYZ', content: '(no output)' },
          { role: 'tool', tool_call_id: expect.stringMatching(/^[A-Za-z0-9]{9}$/), content: '(no output)' },
        ],
        max_tokens: 9,
        stream: true, // it tells the usage unasked
      },
    ],
    ['zai', { params: { thinkingBudget: 0 } }, { messages: [hello], thinking: { type: 'disabled' }, ...ENDING }], // 1.1 thinking{type} (Z.ai)
    ['qwen', { params: { thinkingBudget: 0 } }, { messages: [hello], enable_thinking: false, ...ENDING }], // 1.1 enable_thinking (Qwen)
    ['together', { params: { reasoningEffort: 'none' } }, { messages: [hello], reasoning: { enabled: false }, ...ENDING }], // 1.1 reasoning{enabled}
    [
      'vllm',
      { params: { reasoningEffort: 'none', minP: 0.1, repetitionPenalty: 1.1 } },
      { messages: [hello], min_p: 0.1, repetition_penalty: 1.1, chat_template_kwargs: { enable_thinking: false }, ...ENDING }, // 1.1 chat_template_kwargs
    ],
    [
      'llama.cpp',
      { params: { maxCompletionTokens: 9, repetitionPenalty: 1.1 } },
      { messages: [hello], max_tokens: 9, repeat_penalty: 1.1, ...ENDING },
    ],
    [
      'groq',
      { params: { maxTokens: 9, includeReasoning: true } },
      { messages: [hello], max_completion_tokens: 9, include_reasoning: true, ...ENDING },
    ],
    ['xai', { params: { maxTokens: 9, minP: 0.1 } }, { messages: [hello], max_completion_tokens: 9, ...ENDING }],
    [
      'lmstudio',
      { params: { maxTokens: 9, reasoningEffort: 'low' } },
      { messages: [hello], max_tokens: 9, reasoning_effort: 'low', ...ENDING },
    ],
  ])('to %s', async (preset, more, expected) => {
    expect(await bodyOf(preset, { model: 'm', ...more })).toEqual({ model: 'm', ...expected });
  });
});
