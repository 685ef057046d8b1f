import { once } from 'node:events';
import { AbortedError } from '#model';
import { collect, failureOf, loopbackServer } from '#testkit';
import type { Connection } from '../connection.js';
import { GeminiBackend } from './gemini.backend.js';

const KEY = 'k-planted-0123456789';
const never = new AbortController().signal;
const COMPLETE = 'data: {"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"STOP"}]}\r\n\r\n';

describe('the gemini backend', () => {
  const server = loopbackServer((response) => response.end(COMPLETE));
  const { requests } = server;
  const backend = (more: Partial<Connection> = {}): GeminiBackend =>
    new GeminiBackend({ name: 'gemini', baseUrl: server.url, key: KEY, defaultModel: undefined, ...more });

  it('streams an answer, and uses its connection again', async () => {
    const one = backend();
    for (let i = 0; i < 3; i += 1) {
      expect((await collect(one)).map(({ type }) => type)).toEqual(['text', 'done']);
      await new Promise((done) => setTimeout(done, 30));
    }
    expect([requests.length, new Set(requests.map(({ socket }) => socket)).size]).toEqual([3, 1]);
  });

  it.each(['', '/', '/v1beta', '/v1beta/'])('the address may end in %p', async (end) => {
    await collect(backend({ baseUrl: server.url + end }));
    expect(requests[0]?.path).toBe('/v1beta/models/m:streamGenerateContent?alt=sse');
  });

  it.each([
    ['models/m', 'models/m'],
    ['tunedModels/mine', 'tunedModels/mine'],
    ['a/b?key=x', 'models/a%2Fb%3Fkey%3Dx'],
  ])('the model %p is asked for at %p', async (model, path) => {
    await collect(backend(), { model });
    expect(requests[0]?.path).toBe(`/v1beta/${path}:streamGenerateContent?alt=sse`);
  });

  it('the key is in its header and nowhere else', async () => {
    await collect(backend({ headers: { 'X-Goog-User-Project': 'p' } }));
    const { 'x-goog-api-key': key, 'x-goog-user-project': project, ...others } = requests[0]?.headers ?? {};
    expect([key, project]).toEqual([KEY, 'p']);
    expect(JSON.stringify([requests[0]?.path, others])).not.toContain('planted');
    await collect(backend({ key: undefined }));
    expect(requests[1]?.headers['x-goog-api-key']).toBeUndefined();
  });

  it.each([400, 403, 429, 500])('a key that the server echoes with %i does not get into the error', async (status) => {
    server.answer = (response) => response.writeHead(status).end(`[{"error":{"code":${status},"message":"no: ${KEY}"}}]`);
    const error = await failureOf(backend());
    expect(error.message).toBe(`gemini: HTTP ${status}: no: [key]`);
    expect(JSON.stringify(Object.entries(error)) + String(error.stack) + String(error.cause)).not.toContain(KEY);
  });

  it('nor with an error in the stream', async () => {
    server.answer = (response) => response.end(`data: {"error":{"code":500,"message":"no: ${KEY}"}}\n\n`);
    expect((await failureOf(backend())).message).toBe('gemini: no: [key]');
  });

  it('sends a request once, and tells how long to wait', async () => {
    server.answer = (response) =>
      response
        .writeHead(429)
        .end('{"error":{"code":429,"message":"x","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"45.8s"}]}}');
    const error = await failureOf(backend());
    expect([error.name, error.failure.retryAfterMs, requests.length]).toEqual(['RateLimitError', 45_800, 1]);
  });

  it('an abort while nothing has been answered closes the connection', async () => {
    let closed: Promise<unknown> | undefined;
    server.answer = (response) => (closed = once(response, 'close'));
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 50);
    expect(await failureOf(backend(), {}, controller.signal)).toBeInstanceOf(AbortedError);
    await closed;
  });

  it('counts alone do not keep a stream alive for ever', async () => {
    server.answer = (response) => {
      const timer = setInterval(() => response.write('data: {"usageMetadata":{"promptTokenCount":1}}\n\n'), 20);
      response.once('close', () => clearInterval(timer));
    };
    expect((await failureOf(backend({ patience: { idleMs: 5_000, progressMs: 200 } }))).failure.kind).toBe('progress');
  });

  it('takes a list of chunks from a server that does not stream', async () => {
    server.answer = (response) =>
      response
        .setHeader('content-type', 'application/json; charset=UTF-8')
        .end(
          '[{"candidates":[{"content":{"parts":[{"text":"wh"}]}}]},{"candidates":[{"content":{"parts":[{"text":"ole"}]},"finishReason":"STOP"}]}]',
        );
    expect(await collect(backend())).toEqual([
      { type: 'text', text: 'wh' },
      { type: 'text', text: 'ole' },
      { type: 'done', stop: 'stop' },
    ]);
  });

  it('lists the models that can be talked to, page by page and once, with their limits', async () => {
    server.answer = (response, { path }) =>
      response.end(
        path?.includes('pageToken=p%2F2')
          ? '{"models":[{"name":"models/a","inputTokenLimit":5,"outputTokenLimit":2,"thinking":true,"supportedGenerationMethods":["generateContent"]}]}'
          : '{"models":[{"name":"models/b"},{"name":"models/vectors","supportedGenerationMethods":["embedContent"]}],"nextPageToken":"p/2"}',
      );
    const one = backend();
    const listed = [{ id: 'b' }, { id: 'a', contextLength: 5, capabilities: { maxOutputTokens: 2, reasoning: true } }];
    expect(await one.models(never)).toEqual(listed);
    await one.models(never);
    expect(requests.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'GET /v1beta/models?pageSize=1000',
      'GET /v1beta/models?pageSize=1000&pageToken=p%2F2',
    ]);
    expect([one.contextLength('a'), one.capabilities('a').maxOutputTokens]).toEqual([5, 2]);
    one.invalidate();
    expect(await one.models(never)).toEqual(listed);
  });

  it('a list without an end is read to fifty pages', async () => {
    server.answer = (response) => response.end('{"models":[{"name":"models/a"}],"nextPageToken":"again"}');
    expect(await backend().models(never)).toEqual([{ id: 'a' }]);
    expect(requests).toHaveLength(50);
  });

  it('a server that is not there is told by its address', async () => {
    const error = await failureOf(backend({ baseUrl: 'http://127.0.0.1:1' }));
    expect([error.name, error.message.startsWith('gemini: cannot reach http://127.0.0.1:1: ')]).toEqual(['TransientError', true]);
  });
});
