import { once } from 'node:events';
import { AbortedError } from '#model';
import { collect, failureOf, loopbackServer } from '#testkit';
import { AnthropicBackend } from './anthropic.backend.js';
import type { AnthropicOptions } from './options.js';

const KEY = 'sk-planted-0123456789';
const never = new AbortController().signal;
const COMPLETE =
  'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}\n\ndata: {"type":"message_stop"}\n\n';

describe('the anthropic backend', () => {
  const server = loopbackServer((response) => response.end(COMPLETE));
  const { requests } = server;
  const backend = (more: Partial<AnthropicOptions> = {}): AnthropicBackend =>
    new AnthropicBackend({ name: 'anthropic', baseUrl: server.url, key: KEY, token: undefined, defaultModel: undefined, ...more });

  it('streams an answer, and uses its connection again', async () => {
    const one = backend();
    const sockets = new Set<unknown>();
    for (let i = 0; i < 3; i += 1) {
      expect((await collect(one)).map(({ type }) => type)).toEqual(['text', 'done']);
      await new Promise((done) => setTimeout(done, 30));
    }
    for (const { socket } of requests) sockets.add(socket);
    expect([requests.length, sockets.size]).toEqual([3, 1]);
  });

  it.each(['', '/', '/v1', '/v1/'])('the address may end in %p', async (end) => {
    await collect(backend({ baseUrl: server.url + end }));
    expect(requests[0]?.path).toBe('/v1/messages');
  });

  it.each([400, 401, 403, 429, 500, 529])('a key that the server echoes with %i does not get into the error', async (status) => {
    server.answer = (response, { headers }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'x', message: `no: ${String(headers['x-api-key'])} ${KEY}` } }));
    };
    const error = await failureOf(backend());
    expect(error.message).toContain('no: [key] [key]');
    expect(JSON.stringify(Object.entries(error)) + String(error.stack) + String(error.cause)).not.toContain(KEY);
  });

  it('a token does not get into the error either', async () => {
    server.answer = (response, { headers }) => response.writeHead(401).end(String(headers.authorization));
    const error = await failureOf(backend({ key: undefined, token: KEY }));
    expect([error.name, error.message]).toEqual(['AuthError', 'anthropic: HTTP 401: Bearer [key]']);
  });

  it.each([
    ['a key', { token: undefined }, [KEY, undefined]],
    ['a token', { key: undefined, token: 'tok' }, [undefined, 'Bearer tok']],
    ['a key, which counts, and a token', { token: 'tok' }, [KEY, undefined]],
    ['neither, as a server of one’s own may have it', { key: undefined }, [undefined, undefined]],
  ])('says who asks by %s', async (_by, more, headers) => {
    await collect(backend(more));
    expect([requests[0]?.headers['x-api-key'], requests[0]?.headers.authorization]).toEqual(headers);
  });

  it('takes nothing from variables or files that only the SDK knows', async () => {
    const planted = {
      ANTHROPIC_API_KEY: 'sk-env-planted',
      ANTHROPIC_AUTH_TOKEN: 'tok-planted',
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1/planted',
      ANTHROPIC_CUSTOM_HEADERS:
        'X-Planted: planted\nUser-Agent: planted\nauthorization: planted\nanthropic-version: planted\naccept: planted',
      ANTHROPIC_LOG: 'debug',
      ANTHROPIC_CONFIG_DIR: '/planted',
      ANTHROPIC_PROFILE: 'planted',
    };
    Object.assign(process.env, planted);
    try {
      await collect(backend({ key: undefined }));
      await collect(backend());
    } finally {
      for (const name of Object.keys(planted)) Reflect.deleteProperty(process.env, name);
    }
    expect(requests).toHaveLength(2);
    expect(JSON.stringify(requests.map(({ headers }) => headers))).not.toMatch(/planted(?!-0123)/);
  });

  it('sends a request once, whatever the answer invites to, and tells how long to wait', async () => {
    server.answer = (response) => response.writeHead(429, { 'retry-after': '7', 'x-should-retry': 'true' }).end();
    const error = await failureOf(backend());
    expect([error.name, error.failure.retryAfterMs, requests.length]).toEqual(['RateLimitError', 7_000, 1]);
  });

  it('an abort while nothing has been answered closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    server.answer = (response) => (closed = once(response, 'close'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await failureOf(backend(), {}, controller.signal)).toBeInstanceOf(AbortedError);
    await closed;
  });

  it('pings alone do not keep a stream alive for ever', async () => {
    server.answer = (response) => {
      const timer = setInterval(() => response.write('event: ping\ndata: {"type":"ping"}\n\n'), 20);
      response.once('close', () => clearInterval(timer));
    };
    expect((await failureOf(backend({ patience: { idleMs: 5_000, progressMs: 200 } }))).failure.kind).toBe('progress');
  });

  it('message_stop is the end even if the server keeps the connection open', async () => {
    server.answer = (response) => response.write(COMPLETE);
    const started = performance.now();
    await collect(backend());
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('takes a whole message from a server that does not stream', async () => {
    server.answer = (response) =>
      response
        .setHeader('content-type', 'application/json')
        .end('{"type":"message","id":"r1","content":[{"type":"text","text":"whole"}],"stop_reason":"end_turn"}');
    expect(await collect(backend())).toEqual([
      { type: 'start', responseId: 'r1' },
      { type: 'text', text: 'whole' },
      { type: 'done', stop: 'stop', responseId: 'r1' },
    ]);
  });

  it('models are listed once, with their windows, until they are invalidated', async () => {
    server.answer = (response) => response.end('{"data":[{"id":"claude-b","max_input_tokens":5},{"id":"claude-a","max_input_tokens":6}]}');
    const one = backend();
    expect(await one.models(never)).toEqual([
      { id: 'claude-b', contextLength: 5 },
      { id: 'claude-a', contextLength: 6 },
    ]);
    await one.models(never);
    expect(requests.map(({ path, method }) => [method, path])).toEqual([['GET', '/v1/models?limit=1000']]);
    one.invalidate();
    await one.models(never);
    expect(requests).toHaveLength(2);
  });

  it('a server that is not there is told by its address', async () => {
    const error = await failureOf(backend({ baseUrl: 'http://127.0.0.1:1' }));
    expect([error.name, error.message.startsWith('anthropic: cannot reach http://127.0.0.1:1: ')]).toEqual(['TransientError', true]);
  });
});
