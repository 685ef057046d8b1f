import { messageOf } from '#config';
import { AuthError, RequestError, TransientError, type BackendError, type JsonObject, type JsonValue } from '#model';
import { classify } from './classify.js';
import { presentable } from './error-text.js';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import { HttpResponse } from './http-response.js';
import type { Transport } from './transport.js';

const NOT_IN_A_HEADER = /[^ -~]/;
/** An SDK's own limits are out of the way: silence and retries are the business of our side. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

type Request = (path: string, options: { signal: AbortSignal; body?: JsonObject }) => { asResponse(): Promise<Response> };

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
  /** Goes with each request, and never into a message. */
  readonly key: string | undefined;
}

/** Requests through an SDK, which is loaded with the first one. */
export class SdkTransport implements Transport {
  private loading: Promise<Sdk> | undefined;

  /** `load` gets the fetch that the SDK shall use. */
  constructor(
    private readonly options: SdkTransportOptions,
    private readonly load: (fetch: typeof globalThis.fetch) => Promise<Sdk>,
  ) {}

  async post(path: string, body: JsonObject, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, ({ client }, signal) => client.post(path, { signal, body }));
  }

  async get(path: string, exchange: Exchange): Promise<HttpResponse> {
    return await this.send(exchange, ({ client }, signal) => client.get(path, { signal }));
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
    const { name: backend, baseUrl, key = '' } = this.options;
    if (!URL.canParse(baseUrl)) throw new RequestError(`${backend}: not a URL: ${baseUrl}`, { backend, kind: 'url' });
    if (NOT_IN_A_HEADER.test(key)) throw new AuthError(`${backend}: the key holds a character that no HTTP header can carry`, { backend });
    const { httpFetch } = await import('./http-fetch.js');
    return await this.load(httpFetch);
  }

  private failureOf(error: unknown, sdk: Sdk): BackendError {
    const { name: backend, key: secret } = this.options;
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
    const { name: backend, key, baseUrl } = this.options;
    const why = presentable(innermostMessage(error), key);
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
