import { OpenAI } from 'openai';
import { parseYaml } from '#config';
import { parseScript } from '../../parse-script.js';
import { scriptsByName } from '../../library.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from '../scripted-server.js';

const KEY = 'sk-planted-0123456789';

const SCRIPT = `order: any
contextLength: 2000
steps:
  - { when: { lastTool: { name: shell } }, think: good, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, say: I look, calls: [{ tool: shell, args: { cmd: ls } }, { tool: shell, args: {} }] }
  - { when: { lastUser: busy }, say: half of it, fail: { status: 502, after: 6, message: provider gone } }
  - { say: hello }`;

type Turn = OpenAI.ChatCompletionMessageParam;
const IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } } as const;
const TOOL = { type: 'function', function: { name: 'shell', description: 'runs', parameters: { type: 'object' } } } as const;

describe('the face of OpenAI chat completions', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<OpenAI> => {
    const script = parseScript(parseYaml(SCRIPT, 's'), 's');
    server = await startScriptedServer({ scripts: scriptsByName({ s: script, 'mistral-large': script }), ...more });
    return new OpenAI({ baseURL: server.urls.openai ?? '', apiKey: KEY, maxRetries: 0 });
  };
  afterEach(async () => await server.close());

  it.each([true, false])(
    'holds a conversation with tools, images and reasoning with the official SDK (streamed: %s)',
    async (isStreamed) => {
      const client = await start({ key: KEY, seed: 7 });
      const ask = async (messages: Turn[]): Promise<OpenAI.ChatCompletion> => {
        const body = { model: 's', messages, tools: [TOOL] };
        if (!isStreamed) return await client.chat.completions.create(body);
        return await client.chat.completions.stream({ ...body, stream_options: { include_usage: true } }).finalChatCompletion();
      };
      const messages: Turn[] = [
        { role: 'system', content: 'be good' },
        { role: 'user', content: [IMAGE, { type: 'text', text: 'call' }] },
      ];
      const first = (await ask(messages)).choices[0];
      expect(first).toMatchObject({
        finish_reason: 'tool_calls',
        message: {
          content: '[scripted] I look',
          tool_calls: [{ function: { name: 'shell', arguments: '{"cmd":"ls"}' } }, { function: { name: 'shell', arguments: '{}' } }],
        },
      });
      const calls = first?.message.tool_calls ?? [];
      messages.push({ role: 'assistant', content: first?.message.content ?? null, tool_calls: calls });
      messages.push(...calls.map(({ id }): Turn => ({ role: 'tool', tool_call_id: id, content: 'a b' })));
      const second = await ask(messages);
      expect(second.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: '[scripted] it was a b' } });
      expect(second.usage).toMatchObject({ completion_tokens_details: { reasoning_tokens: 1 }, prompt_tokens_details: {} });
      expect(second.usage?.prompt_tokens_details?.cached_tokens).toBeGreaterThan(0);
    },
  );

  it('gives and takes ids of nine letters and digits for models of Mistral', async () => {
    const client = await start();
    const ask = async (messages: Turn[]): Promise<OpenAI.ChatCompletion> =>
      await client.chat.completions.create({ model: 'mistral-large', messages, tools: [TOOL] });
    const user: Turn = { role: 'user', content: 'call' };
    const calls = (await ask([user])).choices[0]?.message.tool_calls ?? [];
    expect(calls.map(({ id }) => id)).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/), expect.stringMatching(/^[a-z0-9]{9}$/)]);
    const answers = (ids: readonly string[]): Turn[] => ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' }));
    const ids = calls.map(({ id }) => id);
    expect((await ask([user, { role: 'assistant', tool_calls: calls }, ...answers(ids)])).choices).toHaveLength(1);
    const other = calls.map((call, i) => ({ ...call, id: `call_${i}` }));
    await expect(ask([user, { role: 'assistant', tool_calls: other }, ...answers(['call_0', 'call_1'])])).rejects.toMatchObject({
      status: 400,
      param: 'messages[1].tool_calls[0].id',
      message: expect.stringContaining('Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.'),
    });
  });

  it('ends a stream with an error that says so', async () => {
    const client = await start();
    const stream = await client.chat.completions.create({ model: 's', messages: [{ role: 'user', content: 'busy' }], stream: true });
    const read = async (): Promise<void> => {
      for await (const chunk of stream) expect(chunk.choices).toHaveLength(1);
    };
    await expect(read()).rejects.toMatchObject({ message: expect.stringContaining('provider gone') });
  });

  const call = { id: 'a', type: 'function', function: { name: 'shell', arguments: '{}' } };
  const result = { role: 'tool', tool_call_id: 'a', content: 'x' };
  const hi = { role: 'user', content: 'hi' };
  const asked = (...calls: readonly object[]): object[] => [hi, { role: 'assistant', content: null, tool_calls: calls }];
  const named = (name: unknown, parameters: object = { type: 'object' }): object => ({ type: 'function', function: { name, parameters } });

  it.each<[string, object]>([
    ['Unrecognized request argument supplied: foo', { foo: 1 }],
    ['you must provide a model parameter', { model: undefined }],
    ["Missing required parameter: 'messages'.", { messages: undefined }],
    ["Invalid 'messages': empty array.", { messages: [] }],
    ["Missing required parameter: 'messages[0].role'.", { messages: [{ content: 'x' }] }],
    ["Invalid value: 'robot'. Supported values are: 'system'", { messages: [{ role: 'robot', content: 'x' }] }],
    ['expected a string, got null. (messages[0].content)', { messages: [{ role: 'user', content: null }] }],
    [
      "Invalid type for 'messages[0].content': expected one of a string or array of objects, but got a number",
      { messages: [{ role: 'user', content: 3 }] },
    ],
    ["Invalid 'messages[0].content': empty array.", { messages: [{ role: 'user', content: [] }] }],
    ["Invalid value: 'image'. Supported values are: 'text', 'image_url'", { messages: [{ role: 'user', content: [{ type: 'image' }] }] }],
    ["Invalid value: 'image_url'. Supported values are: 'text'.", { messages: [...asked(call), { ...result, content: [IMAGE] }] }],
    ['did not have response messages: a (messages[1].tool_calls)', { messages: [...asked(call), hi] }],
    ['did not have response messages: b (messages[1].tool_calls)', { messages: [...asked(call, { ...call, id: 'b' }), result] }],
    ["must be a response to a preceding message with 'tool_calls'. (messages[1]: a)", { messages: [hi, result] }],
    ["must be a response to a preceding message with 'tool_calls'. (messages[3]: a)", { messages: [...asked(call), result, result] }],
    ["Missing parameter 'tool_call_id'", { messages: [...asked(call), { role: 'tool', content: 'x' }] }],
    ["Invalid 'messages[1].tool_calls': empty array.", { messages: [...asked(), hi] }],
    ["Missing required parameter: 'messages[1].tool_calls[0].id'.", { messages: [...asked({ ...call, id: undefined }), result] }],
    [
      "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40",
      { messages: [...asked({ ...call, id: 'x'.repeat(41) }), result] },
    ],
    [
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object",
      { messages: [...asked({ ...call, function: { name: 'shell', arguments: {} } }), result] },
    ],
    ["Invalid 'tools': empty array.", { tools: [] }],
    ["Missing required parameter: 'tools[0].function.name'.", { tools: [named(undefined)] }],
    ["Invalid 'tools[0].function.name': string does not match pattern.", { tools: [named('a.b')] }],
    ["Invalid 'tools[1].function.name': the function 'a' is there twice.", { tools: [named('a'), named('a')] }],
    ["Invalid schema for function 'a': schema must be a JSON Schema of 'type: \"object\"'", { tools: [named('a', { type: 'array' })] }],
    ["'tool_choice' is only allowed when 'tools' are specified.", { tool_choice: 'auto' }],
    ["The 'stream_options' parameter is only allowed when 'stream' is enabled.", { stream_options: { include_usage: true } }],
    ["Setting 'max_tokens' and 'max_completion_tokens' at the same time", { max_tokens: 1, max_completion_tokens: 1 }],
    ["Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.", { max_tokens: 0 }],
    ["Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.", { temperature: 3 }],
    ["'messages[0].content' holds a lone surrogate", { messages: [{ role: 'user', content: '\uD83D' }] }],
  ])('refuses: %s', async (why, more) => {
    await start();
    const body = JSON.stringify({ model: 's', messages: [hi], ...more });
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body });
    const found = { message: expect.stringContaining(why), type: 'invalid_request_error', param: expect.any(String) };
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 400, body: { error: found } });
  });

  it.each<[string, object]>([
    ['a greeting before the user has said anything', { messages: [{ role: 'assistant', content: 'hello' }, hi] }],
    ['what compatible servers take', { top_k: 3, reasoning: { effort: 'low' } }],
    ['results in another order', { messages: [...asked(call, { ...call, id: 'b' }), { ...result, tool_call_id: 'b' }, result] }],
    ['empty text', { messages: [{ role: 'user', content: '' }] }],
  ])('takes %s', async (_what, more) => {
    await start();
    const body = JSON.stringify({ model: 's', messages: [hi], ...more });
    expect((await fetch(`${server.url}/chat/completions`, { method: 'POST', body })).status).toBe(200);
  });
});
