import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { httpFetch } from './http-fetch.js';
import { HttpResponse } from './http-response.js';

const NAMES = ['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'] as const;

describe('a request where the environment names a proxy', () => {
  const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
  let proxy: Server;
  let seen: string[];
  let tunnels: Duplex[];
  let connect: (socket: Duplex) => void;

  beforeEach(async () => {
    [seen, tunnels] = [[], []];
    connect = (socket) => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    proxy = createServer((request: IncomingMessage, response: ServerResponse) => {
      seen.push(`${request.url} ${request.headers.host} ${String(request.headers['proxy-authorization'])}`);
      response.end('by the proxy');
    });
    proxy.on('connect', (request: IncomingMessage, socket: Duplex) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['proxy-authorization'])}`);
      tunnels.push(socket.on('error', () => undefined).resume());
      connect(socket);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    for (const name of NAMES) delete process.env[name];
  });

  afterEach(() => {
    for (const name of NAMES) delete process.env[name];
    Object.assign(process.env, Object.fromEntries(Object.entries(before).filter(([, value]) => value !== undefined)));
    tunnels.forEach((socket) => socket.destroy());
    proxy.close();
    proxy.closeAllConnections();
  });

  function address(who = ''): string {
    const at = proxy.address();
    return `http://${who}127.0.0.1:${typeof at === 'object' ? at?.port : 0}`;
  }

  async function bodyOf(url: string): Promise<string> {
    const response = await httpFetch(url);
    return response instanceof HttpResponse ? await text(response.stream) : String(response.status);
  }

  it('goes there with its whole address, and says who asks', async () => {
    process.env.http_proxy = address('us%40er:pa%3Ass@');
    expect(await bodyOf('http://model.invalid:8080/v1/models?x=1')).toBe('by the proxy');
    const pair = Buffer.from('us@er:pa:ss').toString('base64');
    expect(seen).toEqual([`http://model.invalid:8080/v1/models?x=1 model.invalid:8080 Basic ${pair}`]);
  });

  it('goes straight to what NO_PROXY names, and to this machine', async () => {
    process.env.http_proxy = 'http://proxy.invalid';
    expect(await bodyOf(`${address()}/here`)).toBe('by the proxy');
    process.env.http_proxy = address();
    process.env.no_proxy = '.invalid';
    await expect(bodyOf('http://model.invalid/')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  });

  it('with TLS asks for a tunnel, and says why there is none, without the password', async () => {
    process.env.https_proxy = address('user:secret@');
    const host = new URL(address()).host;
    await expect(bodyOf('https://api.invalid/v1')).rejects.toThrow(
      `the proxy ${host} opens no way to api.invalid:443: 407 Proxy Authentication Required`,
    );
    expect(seen).toEqual([`CONNECT api.invalid:443 Basic ${Buffer.from('user:secret').toString('base64')}`]);
  });

  it('ends while the proxy is silent, and lets go of it', async () => {
    process.env.https_proxy = address();
    const controller = new AbortController();
    connect = () => controller.abort();
    await expect(httpFetch('https://api.invalid/v1', { signal: controller.signal })).rejects.toThrow(/abort/);
    expect(tunnels).toHaveLength(1);
    if (!tunnels[0]?.readableEnded) await once(tunnels[0] ?? proxy, 'end');
  });

  it('fails when the proxy goes away, or is not there', async () => {
    process.env.https_proxy = address();
    connect = (socket) => socket.destroy();
    await expect(bodyOf('https://api.invalid/v1')).rejects.toThrow(/^the proxy 127\.0\.0\.1:\d+: socket hang up$/);
    proxy.close();
    await once(proxy, 'close');
    await expect(bodyOf('https://api.invalid/v1')).rejects.toThrow(/^the proxy 127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  it('is named when it is not there for a request without TLS', async () => {
    const gone = address();
    proxy.close();
    await once(proxy, 'close');
    process.env.http_proxy = gone;
    await expect(bodyOf('http://model.invalid/v1')).rejects.toThrow(/^the proxy 127\.0\.0\.1:\d+: connect ECONNREFUSED/);
  });

  it('fails at once when the proxy sends something else than the server would', async () => {
    process.env.https_proxy = address();
    connect = (socket) => socket.write('HTTP/1.1 200 OK\r\n\r\nwelcome to the proxy');
    await expect(bodyOf('https://api.invalid/v1')).rejects.toThrow(/wrong version number|packet length too long|SSL/);
  });

  it('fails for a setting that is no address, without what it says', async () => {
    process.env.https_proxy = 'socks5://user:secret@host:1';
    await expect(bodyOf('https://api.invalid/v1')).rejects.toThrow('the proxy of the environment for https is no http or https address');
  });
});
