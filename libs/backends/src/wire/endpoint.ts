import { messageOf } from '#config';
import { AuthError, RequestError, TransientError } from '#model';
import { presentable } from './error-text.js';

/** By names in lower case; null: none of this name. */
export type OwnHeaders = Readonly<Record<string, string | null>>;

/** Where requests go, and who sends them. */
export interface Endpoint {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Goes into no message. */
  readonly secret: string | undefined;
  /** Of each request. */
  readonly headers: OwnHeaders;
}

/** Of each request, where it has none of its own. */
export const COMMON_HEADERS: OwnHeaders = { accept: 'application/json', 'user-agent': 'ollie' };
/** Of headers that say who asks. */
const TELLING = /auth|cookie|key|token|secret|password/;
const BETWEEN = /[\s;,=]+/;
const SCHEME = /^(basic|bearer|token)$/i;
const NOT_IN_A_HEADER = /[^ -~]/;

/** The same headers by names in lower case. */
export function inLowerCase(headers: OwnHeaders = {}): OwnHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** What no message may hold: the secret, and what headers of the configuration, by names in lower case, say of who asks. */
export function secretsOf({ secret, headers }: Pick<Endpoint, 'secret' | 'headers'>): readonly string[] {
  const telling = Object.entries(headers).flatMap(([name, value]) => (TELLING.test(name) && value !== null ? [value] : []));
  const words = telling.flatMap((value) => value.split(BETWEEN)).filter((word) => !SCHEME.test(word));
  return [...words, ...(secret === undefined ? [] : [secret])].toSorted((a, b) => b.length - a.length);
}

/** Throws RequestError `url` or AuthError for what cannot be asked; the secret is in neither. */
export function checkEndpoint({ name: backend, baseUrl, secret = '' }: Endpoint): void {
  if (!URL.canParse(baseUrl)) throw new RequestError(`${backend}: not a URL: ${baseUrl}`, { backend, kind: 'url' });
  const { protocol } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol))
    throw new RequestError(`${backend}: not a URL of http or https: it begins with ${protocol}`, { backend, kind: 'url' });
  if (NOT_IN_A_HEADER.test(secret)) throw new AuthError(`${backend}: the key holds a character that no HTTP header can carry`, { backend });
}

/** For a request that brought no answer at all. */
export function unreachable(endpoint: Endpoint, error: unknown): TransientError {
  const { name: backend, baseUrl } = endpoint;
  const why = presentable(innermostMessage(error), secretsOf(endpoint));
  return new TransientError(`${backend}: cannot reach ${new URL(baseUrl).origin}: ${why}`, { backend, kind: 'network' });
}

/** For a request that our own side could not make. An error's text may show a header, and so the key. */
export function notSent(endpoint: Endpoint, error: unknown): RequestError {
  const { name: backend } = endpoint;
  return new RequestError(`${backend}: request failed: ${presentable(messageOf(error), secretsOf(endpoint))}`, {
    backend,
    kind: 'request',
  });
}

function innermostMessage(error: unknown): string {
  const cause = typeof error === 'object' && error !== null && 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? innermostMessage(cause) : messageOf(error);
}
