import { messageOf } from '#config';
import { AuthError, RequestError, TransientError, type BackendError, type JsonObject, type JsonValue } from '#model';
import { classify } from './classify.js';
import { presentable } from './error-text.js';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import { HttpResponse } from './http-response.js';
import type { Transport } from './transport.js';

type OwnHeaders = Readonly<Record<string, string | null>>;

/** SDKs send more, some of it from the environment; beside these and our own no header goes out. */
const SENT: readonly string[] = ['content-type'];
const COMMON: OwnHeaders = { accept: 'application/json', 'user-agent': 'ollie' };
const NOT_IN_A_HEADER = /[^ -~]/;
/** An SDK's own limits are out of the way: silence and retries are the business of our side. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

type RequestOptions = { readonly signal: AbortSignal; readonly headers: OwnHeaders; readonly body?: JsonObject };
type Request = (path: string, options: RequestOptions) => { asResponse(): Promise<Response> };

/** What an SDK throws for an answer that is none. Status and headers are there together, when one came at all. */
interface SdkError extends Error {
  readonly status?: number;
  readonly headers?: Headers;
  readonly error?: JsonValue;
}

/** A provider's SDK, loaded. `errorIn` gives back what is an error of its own. */
export interface Sdk {
  readonly client: { readonly get: Request; readonly post: Request };
  readonly errorIn: (error: unknown) => SdkError | undefined;
}

export interface SdkTransportOptions {
  readonly name: string;
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** Goes into no message. */
  readonly secret: string | undefined;
  /** Of each request, by names in lower case; null: none of this name, whatever the SDK has. */
  readonly headers: OwnHeaders;
}

/** Requests through an SDK, which is loaded with the first one. */
export class SdkTransport implements Transport {
  private loading: Promise<Sdk> | undefined;
  private readonly headers: OwnHeaders;

  /** `load` gets the fetch that the SDK shall use. */
  constructor(
    private readonly options: SdkTransportOptions,
    private readonly load: (fetch: typeof globalThis.fetch) => Promise<Sdk>,
  ) {
    this.headers = { ...COMMON, ...options.headers };
  }

  async post(path: string, body: JsonObject, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, ({ client }, signal) => client.post(path, { signal, headers: this.headers, body }));
  }

  async get(path: string, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, ({ client }, signal) => client.get(path, { signal, headers: this.headers }));
  }

  private async send(exchange: Exchange, request: (sdk: Sdk, signal: AbortSignal) => ReturnType<Request>): Promise<HttpResponse> {
    const sdk = await (this.loading ??= this.loaded());
    try {
      const response = await exchange.wait(request(sdk, exchange.signal).asResponse());
      if (!(response instanceof HttpResponse)) throw new TypeError('a response that httpFetch has not made');
      return response;
    } catch (error) {
      throw failureOfEnd(exchange, this.options.name) ?? this.failureOf(error, sdk);
    }
  }

  private async loaded(): Promise<Sdk> {
    const { name: backend, baseUrl, secret = '' } = this.options;
    if (!URL.canParse(baseUrl)) throw new RequestError(`${backend}: not a URL: ${baseUrl}`, { backend, kind: 'url' });
    if (NOT_IN_A_HEADER.test(secret))
      throw new AuthError(`${backend}: the key holds a character that no HTTP header can carry`, { backend });
    const { httpFetch } = await import('./http-fetch.js');
    return await this.load((input, init) => httpFetch(input, { ...init, headers: this.sent(init?.headers) }));
  }

  private sent(headers: RequestInit['headers']): Headers {
    const own = [...new Headers(headers)].filter(([name]) => SENT.includes(name) || name in this.headers);
    return new Headers(own);
  }

  private failureOf(error: unknown, sdk: Sdk): BackendError {
    const { name: backend, secret } = this.options;
    const failure = sdk.errorIn(error);
    if (!failure) {
      // It never comes from the other side, but it may show a header, and so the key.
      return new RequestError(`${backend}: request failed: ${presentable(messageOf(error), secret)}`, { backend, kind: 'request' });
    }
    const { status, headers = new Headers() } = failure;
    if (status === undefined) return this.unreachable(failure);
    return classify({ backend, status, headers, secret, body: failure.error ?? textAfterStatus(failure.message) });
  }

  private unreachable(error: Error): BackendError {
    const { name: backend, secret, baseUrl } = this.options;
    const why = presentable(innermostMessage(error), secret);
    return new TransientError(`${backend}: cannot reach ${new URL(baseUrl).origin}: ${why}`, { backend, kind: 'network' });
  }
}

/** The SDKs put the status before a body that is not JSON. */
function textAfterStatus(message: string): string {
  return message.replace(/^\d{3} /, '');
}

function innermostMessage(error: object): string {
  const cause = 'cause' in error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null ? innermostMessage(cause) : messageOf(error);
}
