import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { httpFetch } from './http-fetch.js';
import { HttpResponse } from './http-response.js';

setFlagsFromString('--expose-gc');

/** Of the heap and beside it, after what is not used was collected. */
function usedBytes(): number {
  runInNewContext('gc()');
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

describe('fetch over the sockets of Node', () => {
  const closings: (() => Promise<unknown>)[] = [];
  afterEach(async () => void (await Promise.all(closings.splice(0).map((close) => close()))));

  async function serve(answer: (response: ServerResponse, request: IncomingMessage) => unknown): Promise<string> {
    const server = createServer((request, response) => answer(response, request));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closings.push(async () => {
      server.close();
      server.closeAllConnections();
    });
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
  }

  const bodyOf = async (response: Response): Promise<string> =>
    response instanceof HttpResponse ? await text(response.stream) : `read: ${await response.text()}`;

  it('sends method, headers and body, and gives status, headers and the bytes as they come', async () => {
    const url = await serve(async (response, request) => {
      response.writeHead(201, 'Made', { 'x-is': ['a', 'b'] });
      response.end(
        `${request.method} ${String(request.headers['x-key'])} ${String(request.headers['content-length'])} ${await text(request)}`,
      );
    });
    const response = await httpFetch(url, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'hü' });
    expect([response.status, response.statusText, response.headers.get('x-is')]).toEqual([201, 'Made', 'a, b']);
    expect(await bodyOf(response)).toBe('POST k 3 hü');
  });

  it('lets go of the body of a request while its answer comes', async () => {
    const url = await serve((response, request) => {
      request.resume().once('end', () => response.writeHead(200).write('a'));
    });
    const before = usedBytes();
    const response = await httpFetch(url, { method: 'POST', body: Buffer.alloc(64 * 1024 * 1024, 'x').toString('latin1') });
    const limit = before + 16 * 1024 * 1024;
    // Buffers are let go of a while later, by a thread of its own.
    for (let tries = 0; tries < 100 && usedBytes() > limit; tries += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(usedBytes()).toBeLessThan(limit);
    expect(response.ok).toBe(true);
  });

  it('a refusal of which there is only the head is one', async () => {
    const url = await serve((response) => response.writeHead(304).end());
    expect([(await httpFetch(url)).status, await bodyOf(await httpFetch(url))]).toEqual([304, 'read: ']);
  });

  it('of a refusal that breaks off there is what came of it', async () => {
    const url = await serve((response) => {
      response.writeHead(400, { 'content-length': 100 }).write('why');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await bodyOf(await httpFetch(url))).toBe('read: why');
  });

  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('%s is unpacked, of a success and of a refusal', async (encoding, pack) => {
    const url = await serve((response, { url: path }) =>
      response.writeHead(path === '/' ? 200 : 400, { 'content-encoding': encoding }).end(pack('whole')),
    );
    expect([await bodyOf(await httpFetch(url)), await bodyOf(await httpFetch(`${url}no`))]).toEqual(['whole', 'read: whole']);
  });

  it('bytes that are not what their encoding says are an error', async () => {
    const url = await serve((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'));
    await expect(httpFetch(url).then(bodyOf)).rejects.toThrow('incorrect header check');
  });

  it.each(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie'])(
    'follows a redirect with method and body, and takes %s to no other server',
    async (key) => {
      const seen: string[] = [];
      const note = async (request: IncomingMessage): Promise<string> =>
        `${request.method} ${request.url} ${String(request.headers[key])} ${String(request.headers['content-type'])} ${await text(request)}`;
      const other = await serve(async (response, request) => {
        seen.push(await note(request));
        response.writeHead(request.url === '/bad' ? 503 : 200).end('there');
      });
      const url = await serve(async (response, request) => {
        if (request.url?.startsWith('/here')) response.writeHead(200).end(await note(request));
        else response.writeHead(307, { location: request.url === '/same' ? '/here' : `${other}${request.url?.slice(1)}` }).end();
      });
      const init = { method: 'POST', headers: { [key]: 'k', 'content-type': 'a/b' }, body: 'b' };
      expect(await bodyOf(await httpFetch(`${url}v1`, init))).toBe('there');
      expect(await bodyOf(await httpFetch(`${url}bad`, init))).toBe('read: there');
      expect(seen).toEqual(['POST /v1 undefined a/b b', 'POST /bad undefined a/b b']);
      expect(await bodyOf(await httpFetch(`${url}same`, init))).toBe('POST /here k a/b b');
    },
  );

  it.each([
    [301, 'GET '],
    [302, 'GET '],
    [303, 'GET '],
    [307, 'POST b'],
    [308, 'POST b'],
  ])('behind %i a POST is asked again as %p', async (status, expected) => {
    const url = await serve(async (response, request) => {
      if (request.url === '/') response.writeHead(status, { location: '/next' }).end();
      else response.end(`${request.method} ${await text(request)}`);
    });
    expect(await bodyOf(await httpFetch(url, { method: 'POST', body: 'b' }))).toBe(expected);
  });

  it('redirects have an end', async () => {
    let count = 0;
    const url = await serve((response) => response.writeHead(302, { location: `/${(count += 1)}` }).end());
    await expect(httpFetch(url)).rejects.toThrow('too many redirects');
    expect(count).toBe(11);
  });

  it('an abort ends it, before the answer and in it', async () => {
    const url = await serve((response, { url: path }) => path === '/' && response.write('a'));
    const [before, within] = [new AbortController(), new AbortController()];
    const waiting = httpFetch(`${url}never`, { signal: before.signal });
    before.abort();
    await expect(waiting).rejects.toThrow('aborted');
    const reading = httpFetch(url, { signal: within.signal }).then(bodyOf);
    setTimeout(() => within.abort(), 20);
    await expect(reading).rejects.toThrow('aborted');
  });

  it('what is no text, and no URL of the web, is refused', async () => {
    await expect(httpFetch('http://127.0.0.1:1/', { body: new Blob(['x']) })).rejects.toThrow('no text');
    await expect(httpFetch('ftp://127.0.0.1/')).rejects.toThrow('Protocol');
  });
});
