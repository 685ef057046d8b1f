import type { ServerResponse } from 'node:http';
import { userText, type JsonObject, type Message } from '#model';
import { collect, failureOf, loopbackServer, type LoopbackAnswer } from '#testkit';
import { CopilotBackend } from './copilot.backend.js';
import type { Connection } from '../connection.js';

const LASTING = 'gho-planted-0123456789';
const never = new AbortController().signal;
const CHAT = 'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const MESSAGES =
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}\n\ndata: {"type":"message_stop"}\n\n';

const RESPONSES =
  'data: {"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}]}}\n\n';
const ANSWERS: Readonly<Record<string, string>> = { '/v1/messages': MESSAGES, '/responses': RESPONSES };

describe('the copilot backend', () => {
  /** Those that the API takes; every other one has expired. */
  let good: readonly string[] = [];
  /** What the exchange answers, one after the other; the last one again and again. */
  let exchanges: readonly ((response: ServerResponse) => unknown)[] = [];

  const answer: LoopbackAnswer = (response, { path = '', headers }) => {
    if (path === '/exchange') return exchanges[Math.min(exchangesSeen(), exchanges.length) - 1]?.(response);
    if (!good.some((token) => headers.authorization === `Bearer ${token}`))
      return response.writeHead(401, { 'content-type': 'text/plain' }).end(`IDE token expired: ${String(headers.authorization)}`);
    if (path === '/models') return response.setHeader('content-type', 'application/json').end(LIST);
    return response.end(ANSWERS[path] ?? CHAT);
  };
  const server = loopbackServer(answer);
  const { requests: seen } = server;

  const exchangesSeen = (): number => seen.filter(({ path }) => path === '/exchange').length;
  const paths = () => seen.map(({ path }) => path);
  const gives =
    (token: string, more: JsonObject = {}) =>
    (response: ServerResponse): unknown =>
      response.end(JSON.stringify({ token, expires_at: Date.now() / 1000 + 1_800, ...more }));

  beforeEach(() => {
    good = ['token-1', 'token-2', LASTING];
    exchanges = [gives('token-1'), gives('token-2'), gives('token-3')];
  });

  const backend = (more: Partial<Connection> = {}): CopilotBackend =>
    new CopilotBackend({ name: 'copilot', baseUrl: server.url, key: LASTING, defaultModel: undefined, ...more });
  const exchanging = (more: Partial<Connection> = {}): CopilotBackend => backend({ exchange: { url: `${server.url}/exchange` }, ...more });

  it('streams an answer with the token as it is', async () => {
    expect((await collect(backend())).map(({ type }) => type)).toEqual(['text', 'done']);
    expect([paths(), seen[0]?.headers.authorization]).toEqual([['/chat/completions'], `Bearer ${LASTING}`]);
  });

  it('sends headers of the configuration, and names nobody but itself', async () => {
    await collect(exchanging({ headers: { 'Editor-Version': 'mine/1' } }));
    const common = { accept: 'application/json', 'user-agent': 'ollie', 'editor-version': 'mine/1' };
    const sent = seen.map(({ headers: { host: _host, connection: _connection, 'content-length': _length, ...headers } }) => headers);
    expect(sent).toEqual([
      { ...common, authorization: `Bearer ${LASTING}` },
      { ...common, authorization: 'Bearer token-1', 'content-type': 'application/json', 'x-initiator': 'user' },
    ]);
  });

  it('the exchange may have headers of its own', async () => {
    await collect(
      exchanging({ headers: { 'X-A': 'a' }, exchange: { url: `${server.url}/exchange`, headers: { Authorization: 'token mine' } } }),
    );
    expect([seen[0]?.headers.authorization, seen[0]?.headers['x-a'], seen[1]?.headers['x-a']]).toEqual(['token mine', undefined, 'a']);
  });

  it.each([
    ['claude-sonnet-5.5', '/v1/messages'],
    ['gpt-6-sol', '/responses'],
    ['grok-4.7', '/responses'],
    ['mai-code-2', '/responses'],
    ['gpt-4.1', '/chat/completions'],
    ['gemini-4-neon', '/chat/completions'],
    ['kimi-k3', '/chat/completions'],
  ])('%s is asked at %s', async (model, path) => {
    expect((await collect(backend(), { model })).map(({ type }) => type)).toEqual(['text', 'done']);
    expect(paths()).toEqual([path]);
    expect(seen[0]?.headers['anthropic-version']).toBe(path === '/v1/messages' ? '2023-06-01' : undefined);
  });

  const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' } as const;
  const assistant: Message = { role: 'assistant', content: [], toolCalls: [{ id: '1', name: 'ls', arguments: {}, rawArguments: '{}' }] };
  const result = (content: Extract<Message, { role: 'tool' }>['content']): Message => ({
    role: 'tool',
    toolCallId: '1',
    toolName: 'ls',
    content,
    isError: false,
  });
  it.each<[string, readonly Message[], string, string | undefined]>([
    ['a question', [userText('a')], 'user', undefined],
    ['a result', [userText('a'), assistant, result([{ type: 'text', text: 'b' }])], 'agent', undefined],
    ['a word behind a result', [userText('a'), assistant, result([]), userText('b')], 'user', undefined],
    ['an image of the user', [{ role: 'user', content: [image] }], 'user', 'true'],
    ['an image in a result', [userText('a'), assistant, result([image])], 'agent', 'true'],
  ])('%s is billed and announced as such', async (_what, messages, initiator, vision) => {
    for (const model of ['kimi-k3', 'claude-sonnet-5.5', 'gpt-6-sol']) await collect(backend(), { model, messages });
    const sent = seen.map(({ headers }) => [headers['x-initiator'], headers['copilot-vision-request']]);
    expect(sent).toEqual(Array.from({ length: 3 }, () => [initiator, vision]));
  });

  it('keeps what it got until shortly before its end', async () => {
    exchanges = [gives('token-1', { expires_at: Date.now() / 1000 + 600 }), gives('token-2')];
    const now = jest.spyOn(Date, 'now');
    const one = exchanging();
    try {
      await collect(one);
      await collect(one);
      expect(paths()).toEqual(['/exchange', '/chat/completions', '/chat/completions']);
      now.mockReturnValue(Date.now() + 301_000);
      await collect(one);
    } finally {
      now.mockRestore();
    }
    expect(seen.slice(3).map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/exchange', `Bearer ${LASTING}`],
      ['/chat/completions', 'Bearer token-2'],
    ]);
  });

  it('gets a new one when it is refused, and says nothing of it', async () => {
    good = ['token-2'];
    const one = exchanging();
    expect((await collect(one)).map(({ type }) => type)).toEqual(['text', 'done']);
    expect(paths()).toEqual(['/exchange', '/chat/completions', '/exchange', '/chat/completions']);
    await collect(one);
    expect(exchangesSeen()).toBe(2);
  });

  it('a new one that is refused too ends it', async () => {
    good = [];
    const error = await failureOf(exchanging());
    expect([error.name, error.retryable, error.failure.status, error.message]).toEqual([
      'AuthError',
      false,
      401,
      'copilot: HTTP 401: IDE token expired: Bearer [key]',
    ]);
    expect(paths()).toEqual(['/exchange', '/chat/completions', '/exchange', '/chat/completions']);
  });

  it('one that cannot be exchanged is tried once', async () => {
    good = [];
    const error = await failureOf(backend());
    expect([error.name, error.message, seen.length]).toEqual(['AuthError', 'copilot: HTTP 401: IDE token expired: Bearer [key]', 1]);
  });

  it('requests at the same time share one exchange, also when all are refused', async () => {
    const one = exchanging();
    await Promise.all(Array.from({ length: 8 }, async () => await collect(one)));
    expect(exchangesSeen()).toBe(1);
    good = ['token-2'];
    await Promise.all(Array.from({ length: 8 }, async () => await collect(one)));
    expect(exchangesSeen()).toBe(2);
  });

  it('an abort of one of them leaves the exchange to the others', async () => {
    exchanges = [(response) => setTimeout(() => gives('token-1')(response), 100)];
    const one = exchanging();
    const controller = new AbortController();
    const others = collect(one);
    setTimeout(() => controller.abort(), 20);
    expect((await failureOf(one, {}, controller.signal)).name).toBe('AbortedError');
    expect((await others).at(-1)?.type).toBe('done');
    expect(exchangesSeen()).toBe(1);
  });

  it.each<[string, (response: ServerResponse) => unknown, string, string, boolean]>([
    ['refuses', (response) => response.writeHead(401).end(`bad: ${LASTING}`), 'AuthError', 'HTTP 401: bad: [key]', false],
    ['is not there', (response) => response.writeHead(404).end('Not Found'), 'RequestError', 'HTTP 404: Not Found', false],
    ['is down', (response) => response.writeHead(503).end('busy'), 'TransientError', 'HTTP 503: busy', true],
    ['gives none', (response) => response.end('{"message":"no"}'), 'AuthError', 'no token in the answer', false],
    ['talks nonsense', (response) => response.end('<html>'), 'TransientError', 'answer is not JSON', true],
    ['breaks off', (response) => response.destroy(), 'TransientError', `cannot reach `, true],
  ])('an exchange that %s is told, and asked again with the next request', async (_what, broken, name, message, retryable) => {
    exchanges = [broken, gives('token-1')];
    const one = exchanging();
    const error = await failureOf(one);
    expect([error.name, error.message.slice(0, 24 + message.length), error.retryable]).toEqual([
      name,
      `copilot token exchange: ${message}`,
      retryable,
    ]);
    expect(JSON.stringify(Object.entries(error)) + String(error.stack)).not.toContain('planted');
    expect((await collect(one)).at(-1)?.type).toBe('done');
  });

  it('goes where the token or its exchange says, unless the configuration names a place', async () => {
    exchanges = [gives('token-1', { endpoints: { api: `${server.url}/` } })];
    await collect(exchanging({ baseUrl: undefined }));
    expect(paths()).toEqual(['/exchange', '/chat/completions']);
    const elsewhere = 'tid=1;proxy-ep=proxy.nowhere.invalid;exp=1';
    const error = await failureOf(backend({ baseUrl: undefined, key: elsewhere }));
    expect(error.message).toMatch(/^copilot: cannot reach https:\/\/api\.nowhere\.invalid: /);
    good = [elsewhere];
    await collect(backend({ key: elsewhere }));
    expect(paths()).toHaveLength(3);
  });

  it('lists the models for chats that the account may use, with their limits', async () => {
    const one = exchanging();
    expect(await one.models(never)).toEqual([
      {
        id: 'gpt-6-sol',
        contextLength: 128_000,
        capabilities: {
          tools: true,
          parallelCalls: true,
          images: true,
          reasoning: true,
          efforts: ['low', 'high'],
          maxOutputTokens: 16_384,
        },
      },
      { id: 'plain', capabilities: {} },
    ]);
    expect([one.contextLength('gpt-6-sol'), paths()]).toEqual([128_000, ['/exchange', '/models']]);
  });

  it.each([
    [
      400,
      '{"error":{"message":"prompt token count of 70000 exceeds the limit of 64000","code":"model_max_prompt_tokens_exceeded"}}',
      64_000,
    ],
    [413, 'failed to parse request', undefined],
  ])('a prompt that is too long (%i) is told as that', async (status, body, limit) => {
    server.answer = (response) => response.writeHead(status).end(body);
    const error = await failureOf(backend());
    expect([error.name, error.failure.limitTokens]).toEqual(['ContextOverflowError', limit]);
  });
});

const LIST = JSON.stringify({
  data: [
    {
      id: 'gpt-6-sol',
      model_picker_enabled: true,
      policy: { state: 'enabled' },
      capabilities: {
        type: 'chat',
        limits: { max_context_window_tokens: 200_000, max_prompt_tokens: 128_000, max_output_tokens: 16_384 },
        supports: { tool_calls: true, parallel_tool_calls: true, vision: true, reasoning_effort: ['low', 'high'] },
      },
    },
    { id: 'plain' },
    { id: 'not-allowed', policy: { state: 'disabled' }, capabilities: { type: 'chat' } },
    { id: 'not-asked', policy: { state: 'unconfigured' } },
    { id: 'hidden', model_picker_enabled: false },
    { id: 'vectors', capabilities: { type: 'embeddings' } },
  ],
});
