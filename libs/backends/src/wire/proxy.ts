import { getProxyForUrl } from 'proxy-from-env';

const HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Who passes requests on. */
export interface Proxy {
  readonly url: URL;
  /** What it is told of who asks. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * The proxy that the environment has for a request: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, but for what NO_PROXY names; in
 * lower case as well. A server on this machine is behind none. Throws Error for a setting that is no address, without
 * what it says, which may hold a password.
 */
export function proxyFor(target: URL): Proxy | undefined {
  if (HERE.test(target.hostname)) return undefined;
  const setting = getProxyForUrl(target.href);
  if (setting === '') return undefined;
  const url = URL.canParse(setting) ? new URL(setting) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new Error(`the proxy of the environment for ${target.protocol.slice(0, -1)} is no http or https address`);
  return { url: new URL(url.origin), headers: credentialsOf(url) };
}

function credentialsOf({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}
