import { request as httpRequest, type ClientRequest } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { proxyFor, type Proxy } from './proxy.js';
import { TunnelAgent, type TunnelOptions } from './tunnel-agent.js';

type Options = Omit<RequestOptions, 'headers'> & { readonly headers: Readonly<Record<string, string>> };

/** By the address of the proxy and what it is told: connections are used again. */
const tunnels = new Map<string, TunnelAgent>();

/** A request that is begun, straight or through the proxy of the environment. Throws Error for a proxy's setting that is no address. */
export function requestTo(url: URL, options: Options): ClientRequest {
  const proxy = proxyFor(url);
  if (url.protocol === 'https:') return httpsRequest(url, proxy ? tunnelled(proxy, options) : options);
  return proxy ? asked(proxy, url, options) : httpRequest(url, options);
}

function tunnelled(proxy: Proxy, options: Options): TunnelOptions {
  return { ...options, agent: tunnelBy(proxy), tunnelSignal: options.signal };
}

function tunnelBy(proxy: Proxy): TunnelAgent {
  const key = JSON.stringify([proxy.url.href, proxy.headers]);
  const agent = tunnels.get(key) ?? new TunnelAgent(proxy);
  tunnels.set(key, agent);
  return agent;
}

/** Without TLS a proxy is asked for the whole address. */
function asked({ url, headers }: Proxy, target: URL, options: Options): ClientRequest {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const told = { ...options, path: target.href, headers: { ...options.headers, host: target.host, ...headers } };
  return request(url, told).on('error', (error) => nameProxy(url, error));
}

/** Who is not reached is the proxy, not the server that is asked for. */
function nameProxy({ host }: URL, error: NodeJS.ErrnoException): void {
  if (error.syscall === 'connect' || error.syscall === 'getaddrinfo') error.message = `the proxy ${host}: ${error.message}`;
}
