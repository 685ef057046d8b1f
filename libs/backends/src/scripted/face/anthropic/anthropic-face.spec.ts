import Anthropic from '@anthropic-ai/sdk';
import { parseYaml } from '#config';
import { userText, type Message, type ModelRequest } from '#model';
import { askWithShell, describeBackend, okResults, questionForCalls, smallImage } from '#testkit';
import { AnthropicBackend } from '../../../anthropic/anthropic.backend.js';
import { parseScript } from '../../parse-script.js';
import { scriptsByName } from '../../library.js';
import { startScriptedServer, type ScriptedServer, type ScriptedServerOptions } from '../scripted-server.js';

const KEY = 'sk-planted-0123456789';
const never = new AbortController().signal;

for (const chunk of [undefined, 'bytes'] as const) {
  describeBackend(`anthropic over HTTP${chunk === undefined ? '' : ', byte by byte'}`, async (script) => {
    const server = await startScriptedServer({
      scripts: scriptsByName({ conformance: parseScript(script, 'conformance') }),
      key: KEY,
      ...(chunk && { chunk }),
    });
    const backend = new AnthropicBackend({
      name: 'anthropic',
      baseUrl: server.urls.anthropic ?? '',
      key: KEY,
      defaultModel: undefined,
      patience: { idleMs: 1_200, progressMs: 10_000 },
    });
    return { backend, active: () => server.active, close: async () => await server.close() };
  });
}

const SCRIPT = `order: any
contextLength: 2000
steps:
  - { when: { lastTool: { name: shell } }, think: good, say: 'it was {{tool}}' }
  - { when: { lastUser: call }, think: hm, say: I look, calls: [{ tool: shell, args: { cmd: ls } }, { tool: shell, args: {} }] }
  - { when: { lastUser: busy }, say: half of it, fail: { status: 529, after: 6, message: Overloaded } }
  - { when: { lastUser: refuse }, fail: { status: 429, headers: { retry-after: 3 } } }
  - { say: hello }`;

const tool = { name: 'shell', description: 'runs', input_schema: { type: 'object' as const } };
const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } } as const;

describe('the face of Anthropic', () => {
  let server: ScriptedServer;
  const start = async (more: Partial<ScriptedServerOptions> = {}): Promise<Anthropic> => {
    server = await startScriptedServer({ scripts: scriptsByName({ s: parseScript(parseYaml(SCRIPT, 's'), 's') }), ...more });
    return new Anthropic({ baseURL: server.urls.anthropic ?? '', apiKey: KEY, maxRetries: 0 });
  };
  afterEach(async () => await server.close());

  const post = async (body: object, headers: Record<string, string> = { 'anthropic-version': '2023-06-01' }): Promise<Response> =>
    await fetch(`${server.urls.anthropic ?? ''}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
  const refusal = async (more: object): Promise<string> => {
    const response = await post({ model: 's', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }], ...more });
    return `${response.status} ${await response.text()}`;
  };

  it.each([true, false])(
    'holds a conversation with tools, images and thinking with the official SDK (streamed: %s)',
    async (isStreamed) => {
      const client = await start({ key: KEY, seed: 7 });
      const ask = async (messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> => {
        const body = { model: 's', max_tokens: 4000, thinking: { type: 'adaptive' as const }, tools: [tool], messages };
        return isStreamed ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
      };
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: [PNG, { type: 'text', text: 'call' }] }];
      const first = await ask(messages);
      expect(first.stop_reason).toBe('tool_use');
      expect(first.content).toMatchObject([
        { type: 'thinking', thinking: 'hm', signature: expect.any(String) },
        { type: 'text', text: '[scripted] I look' },
        { type: 'tool_use', id: expect.stringMatching(/^toolu_/), name: 'shell', input: { cmd: 'ls' } },
        { type: 'tool_use', name: 'shell', input: {} },
      ]);
      const ids = first.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
      const results = ids.map((id) => ({
        type: 'tool_result' as const,
        tool_use_id: id,
        content: [{ type: 'text' as const, text: 'a b' }, PNG],
      }));
      messages.push({ role: 'assistant', content: first.content }, { role: 'user', content: results });
      const second = await ask(messages);
      expect(second.content).toMatchObject([{ type: 'thinking' }, { type: 'text', text: '[scripted] it was a b' }]);
      expect(second.stop_reason).toBe('end_turn');
    },
  );

  it('lists models, and counts before it answers', async () => {
    const client = await start();
    expect((await client.models.list()).data).toMatchObject([{ type: 'model', id: 's', max_input_tokens: 2000 }]);
    expect(await client.models.retrieve('s')).toMatchObject({ id: 's' });
    const { input_tokens: tokens } = await client.messages.countTokens({ model: 's', messages: [{ role: 'user', content: 'hi' }] });
    expect(tokens).toBeGreaterThan(0);
  });

  it('reads from the cache what was marked', async () => {
    const client = await start();
    const mark = { cache_control: { type: 'ephemeral' } } as const;
    const ask = async (...texts: readonly string[]): Promise<Anthropic.Usage> => {
      const messages = texts.map((text, i): Anthropic.MessageParam => ({
        role: i % 2 === 0 ? 'user' : 'assistant',
        content: [{ type: 'text', text, ...(i === texts.length - 1 ? mark : {}) }],
      }));
      return (await client.messages.create({ model: 's', max_tokens: 10, messages })).usage;
    };
    const first = await ask('x'.repeat(400));
    expect([first.cache_read_input_tokens, first.input_tokens]).toEqual([0, 3]);
    const second = await ask('x'.repeat(400), 'hello', 'on');
    expect(second.cache_read_input_tokens).toBeGreaterThan(100);
  });

  it('fails in words, types and statuses of its own, in a stream too', async () => {
    const client = await start({ key: KEY });
    const ask = async (text: string, options: object = {}): Promise<unknown> =>
      await new Anthropic({ baseURL: server.urls.anthropic ?? '', apiKey: KEY, maxRetries: 0, ...options }).messages
        .stream({ model: 's', max_tokens: 10, messages: [{ role: 'user', content: text }] })
        .finalMessage()
        .catch((error: unknown) => error);
    expect(await ask('refuse')).toMatchObject({ status: 429, error: { type: 'error', error: { type: 'rate_limit_error' } } });
    expect(await ask('busy')).toMatchObject({ error: { error: { type: 'overloaded_error', message: 'Overloaded' } } });
    expect(await ask('hi', { apiKey: 'other' })).toMatchObject({ status: 401, error: { error: { type: 'authentication_error' } } });
    expect(await ask('x'.repeat(9000))).toMatchObject({
      status: 400,
      message: expect.stringMatching(/prompt is too long: \d+ tokens > 2000 maximum/),
    });
    const gone = client.messages.create({ model: 'gone', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] });
    await expect(gone).rejects.toMatchObject({ status: 404, error: { error: { type: 'not_found_error' } } });
  });

  const call = { type: 'tool_use', id: 'a', name: 'shell', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'a', content: 'x' };
  const hi = { role: 'user', content: 'hi' };
  const asked = (...blocks: readonly object[]): object[] => [hi, { role: 'assistant', content: blocks }];
  const user = (...content: readonly object[]): object => ({ role: 'user', content });

  it.each<[string, object]>([
    ['foo: Extra inputs are not permitted', { foo: 1 }],
    ['max_tokens: Field required', { max_tokens: undefined }],
    ['messages: Field required', { messages: undefined }],
    ['messages: at least one message is required', { messages: [] }],
    ["messages.0.role: Input should be 'user' or 'assistant'", { messages: [{ role: 'robot', content: 'x' }] }],
    ['messages.0.role: Unexpected role', { messages: [{ role: 'system', content: 'x' }, hi] }],
    ['messages.0: first message must use the', { messages: [{ role: 'assistant', content: 'x' }, hi] }],
    ['messages.1: This model does not support assistant message prefill', { messages: [hi, { role: 'assistant', content: 'x' }] }],
    ['messages.0: all messages must have non-empty content', { messages: [{ role: 'user', content: [] }] }],
    ['messages.0.content.0: text content blocks must be non-empty', { messages: [user({ type: 'text', text: '' })] }],
    ['messages.0.content.0: text content blocks must contain non-whitespace text', { messages: [user({ type: 'text', text: ' ' })] }],
    ["messages.0.content.0: Input tag 'image_url' found", { messages: [user({ type: 'image_url' })] }],
    [
      'messages.0.content.0.image.source.base64.media_type: Input should be',
      { messages: [user({ ...PNG, source: { ...PNG.source, media_type: 'image/bmp' } })] },
    ],
    ['messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: a.', { messages: [...asked(call), hi] }],
    ['messages.1: `tool_use` ids were found without', { messages: [...asked(call), user({ type: 'text', text: 'first' }, result)] }],
    [
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: b.',
      { messages: [...asked(call, { ...call, id: 'b' }), user(result), user({ ...result, tool_use_id: 'b' })] },
    ],
    ['messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: a.', { messages: [user(result)] }],
    ['messages.2.content.1: each tool_use must have a single result', { messages: [...asked(call), user(result, result)] }],
    ['messages.1.content.1: `tool_use` ids must be unique', { messages: [...asked(call, call), user(result)] }],
    [
      "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'",
      { messages: [...asked({ ...call, id: 'a.b' }), user(result)] },
    ],
    [
      'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
      { messages: [...asked({ ...call, input: '{}' }), user(result)] },
    ],
    [
      'messages.1.content.0: Invalid `signature` in `thinking` block',
      { messages: [...asked({ type: 'thinking', thinking: 'hm', signature: 'eA==' }, call), user(result)] },
    ],
    [
      'messages.1.content.0.thinking.signature: Field required',
      { messages: [...asked({ type: 'thinking', thinking: 'hm' }, call), user(result)] },
    ],
    ['tools.0.custom.input_schema: Field required', { tools: [{ name: 'a' }] }],
    ["tools.0.custom.input_schema.type: Input should be 'object'", { tools: [{ name: 'a', input_schema: { type: 'array' } }] }],
    ['tools.0.custom.name: String should match pattern', { tools: [{ ...tool, name: 'a.b' }] }],
    ['tools.1: Tool names must be unique', { tools: [tool, tool] }],
    ['tool_choice: may only be specified while providing tools', { tool_choice: { type: 'auto' } }],
    ['thinking.enabled.budget_tokens: Input should be greater than or equal to 1024', { thinking: { type: 'enabled', budget_tokens: 10 } }],
    [
      '`max_tokens` must be greater than `thinking.budget_tokens`',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    ],
    [
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
      { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 1024 }, messages: [...asked(call), user(result)] },
    ],
    ['`temperature` may only be set to 1', { max_tokens: 2000, temperature: 0.2, thinking: { type: 'adaptive' } }],
    ['temperature: range: 0..1', { temperature: 1.5 }],
    [
      'A maximum of 4 blocks with cache_control may be provided. Found 5. (messages.0.content.4)',
      { messages: [user(...Array.from({ length: 5 }, () => ({ type: 'text', text: 'x', cache_control: { type: 'ephemeral' } })))] },
    ],
    ['no low surrogate in string: messages.0.content', { messages: [{ role: 'user', content: '\uD83D' }] }],
    ['no low surrogate in string: tools.0.description', { tools: [{ ...tool, description: '\uDC00' }] }],
  ])('refuses: %s', async (why, more) => {
    await start();
    const text = await refusal(more);
    expect(text).toMatch(/^400 .*"invalid_request_error"/);
    expect(JSON.parse(text.slice(4))).toMatchObject({ type: 'error', error: { message: expect.stringContaining(why) } });
  });

  it('refuses a request without a version', async () => {
    await start();
    const response = await post({ model: 's', max_tokens: 10, messages: [hi] }, {});
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('anthropic-version: header is required')]);
  });

  it('takes what our own backend sends of a conversation that it has had', async () => {
    await start();
    const backend = new AnthropicBackend({ name: 'anthropic', baseUrl: server.urls.anthropic ?? '', key: KEY, defaultModel: undefined });
    const { calls, replayed } = await askWithShell(backend, 's', [questionForCalls]);
    expect([calls.length, replayed.length]).toEqual([2, 1]);
    const answered: readonly Message[] = [
      questionForCalls,
      { role: 'assistant', content: [...replayed, { type: 'text', text: 'I look' }], toolCalls: calls },
      ...okResults(calls, smallImage),
    ];
    expect((await askWithShell(backend, 's', answered)).text).toBe('[scripted] it was ok');
    const { events } = await askWithShell(backend, 's', [
      ...answered,
      { role: 'assistant', content: [{ type: 'text', text: 'it was ok' }], toolCalls: [] },
      userText('thanks'),
    ]);
    expect(events.find((event) => event.type === 'usage')).toMatchObject({ usage: { cachedInputTokens: expect.any(Number) } });
  });

  it('a model with a budget goes on with a turn that another one has begun', async () => {
    const script = parseScript(parseYaml(SCRIPT, 's'), 's');
    server = await startScriptedServer({ scripts: scriptsByName({ 'claude-sonnet-4-5': script }) });
    const backend = new AnthropicBackend({ name: 'anthropic', baseUrl: server.urls.anthropic ?? '', key: KEY, defaultModel: undefined });
    const ask = async (...messages: readonly Message[]): Promise<string> => {
      let text = '';
      const request: ModelRequest = { model: 'claude-sonnet-4-5', system: '', messages, tools: [], params: { thinkingBudget: 2000 } };
      for await (const event of backend.stream(request, never)) text += event.type === 'text' ? event.text : '';
      return text;
    };
    const call: Message = {
      role: 'assistant',
      content: [],
      toolCalls: [{ id: 'a', name: 'shell', arguments: {}, rawArguments: '{}' }],
    };
    const result: Message = { role: 'tool', toolCallId: 'a', toolName: 'shell', content: [{ type: 'text', text: 'x' }], isError: false };
    expect(await ask(userText('go'), call, result)).toBe('[scripted] it was x');
    const sent = (): unknown => JSON.parse(server.requests.at(-1)?.body ?? '');
    expect(sent()).not.toHaveProperty('thinking');
    await ask(
      userText('go'),
      call,
      result,
      { role: 'assistant', content: [{ type: 'text', text: 'so' }], toolCalls: [] },
      userText('next'),
    );
    expect(sent()).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2000 } });
  });
});
