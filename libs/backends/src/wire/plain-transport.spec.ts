import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { BackendError } from '#model';
import { wholeBody } from './body.js';
import type { Endpoint } from './endpoint.js';
import { Exchange } from './exchange.js';
import { PlainTransport } from './plain-transport.js';
import type { WireRequest } from './transport.js';

const KEY = 'k-planted-0123456789';

describe('requests without an SDK', () => {
  let answer: (response: ServerResponse, request: IncomingMessage) => unknown;
  let url = '';
  const server = createServer((request, response) => answer(response, request));

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function send(request: WireRequest, more: Partial<Endpoint> = {}, caller = new AbortController().signal): Promise<string> {
    const endpoint = { name: 'acme', baseUrl: `${url}/base`, secret: KEY, headers: { 'x-key': KEY }, ...more };
    const exchange = new Exchange({ idleMs: 300, progressMs: 5_000 }, caller);
    try {
      return await wholeBody(await new PlainTransport(endpoint).send(request, exchange), exchange, 'acme');
    } finally {
      exchange.close();
    }
  }

  async function failureOf(...given: Parameters<typeof send>): Promise<BackendError> {
    const error = await send(...given).catch((failure: unknown) => failure);
    if (!(error instanceof BackendError)) throw new Error(`expected a failure, got ${String(error)}`);
    return error;
  }

  it('a body is posted, without one it is asked for; no header goes out but ours', async () => {
    answer = async (response, request) => {
      const { host: _host, connection: _connection, ...headers } = request.headers;
      response.end(JSON.stringify([request.method, request.url, headers, await text(request)]));
    };
    const common = { accept: 'application/json', 'user-agent': 'ollie', 'x-key': KEY };
    expect(JSON.parse(await send({ path: '/a?b=c', body: { ü: 1 }, headers: { 'x-one': '1' } }))).toEqual([
      'POST',
      '/base/a?b=c',
      { ...common, 'x-one': '1', 'content-type': 'application/json', 'content-length': '8' },
      '{"ü":1}',
    ]);
    expect(JSON.parse(await send({ path: '/a' }))).toEqual(['GET', '/base/a', common, '']);
    const headers = { 'user-agent': 'mine', accept: null };
    expect(JSON.parse(await send({ path: '/a' }, { headers }))).toEqual(['GET', '/base/a', { 'user-agent': 'mine' }, '']);
  });

  it.each([
    [401, '{"error":{"message":"no: KEY"}}', 'AuthError', 'acme: HTTP 401: no: [key]'],
    [500, 'KEY is not JSON', 'TransientError', 'acme: HTTP 500: [key] is not JSON'],
    [400, '', 'RequestError', 'acme: HTTP 400:'],
  ])('a refusal with %i and %p is a typed error without the key', async (status, body, name, message) => {
    answer = (response) => response.writeHead(status).end(body.replace('KEY', KEY));
    const error = await failureOf({ path: '/' });
    expect([error.name, error.message.trim()]).toEqual([name, message]);
    expect(JSON.stringify(Object.entries(error)) + String(error.stack) + String(error.cause)).not.toContain(KEY);
  });

  it.each([
    ['authorization', 'Basic planted-by-header'],
    ['x-other-key', 'planted-by-header'],
    ['cookie', 'session=planted-by-header'],
  ])('nor does what %s says of who asks get into it', async (name, value) => {
    answer = (response, request) => response.writeHead(400).end(`no: ${String(request.headers[name])}, planted-by-header`);
    const { message } = await failureOf({ path: '/' }, { secret: undefined, headers: { [name]: value, 'x-plain': 'no' } });
    expect(message).toMatch(/^acme: HTTP 400: no: .*\[key\], \[key\]$/);
  });

  it('of a refusal its headers are read and its packing is undone', async () => {
    answer = (response) =>
      response.writeHead(429, { 'retry-after': '7', 'content-encoding': 'gzip' }).end(gzipSync('{"error":"slow down"}'));
    const error = await failureOf({ path: '/' });
    expect([error.name, error.failure.retryAfterMs, error.message]).toEqual(['RateLimitError', 7_000, 'acme: HTTP 429: slow down']);
  });

  it('silence and an abort end it, and close the connection', async () => {
    const closings: Promise<unknown>[] = [];
    answer = (response) => closings.push(once(response, 'close'));
    expect((await failureOf({ path: '/' })).failure.kind).toBe('idle');
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    expect((await failureOf({ path: '/' }, {}, controller.signal)).name).toBe('AbortedError');
    expect((await Promise.all(closings)).length).toBe(2);
  });

  it.each([
    ['no server', { baseUrl: 'http://127.0.0.1:1/x' }, 'TransientError', 'network', 'acme: cannot reach http://127.0.0.1:1: '],
    ['no URL', { baseUrl: 'nowhere' }, 'RequestError', 'url', 'acme: not a URL: nowhere'],
    ['a protocol that is none of the web', { baseUrl: 'ftp://127.0.0.1' }, 'RequestError', 'url', 'acme: not a URL of http or https: '],
    ['an address without its protocol', { baseUrl: 'localhost:9000' }, 'RequestError', 'url', 'acme: not a URL of http or https: '],
    ['a key that no header can carry', { secret: 'sk-ü' }, 'AuthError', undefined, 'acme: the key holds a character'],
    ['a header that is none', { headers: { 'x-key': `${KEY}\n` + 'x' } }, 'RequestError', 'request', 'acme: request failed: '],
  ])('%s is told', async (_what, more, name, kind, message) => {
    const error = await failureOf({ path: '/' }, more);
    expect([error.name, error.failure.kind, error.message.slice(0, message.length)]).toEqual([name, kind, message]);
    expect(error.message).not.toContain(KEY);
  });
});
