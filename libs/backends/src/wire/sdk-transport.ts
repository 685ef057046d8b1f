import type { BackendError, JsonObject, JsonValue } from '#model';
import { classify } from './classify.js';
import { checkEndpoint, COMMON_HEADERS, notSent, secretsOf, unreachable, type Endpoint, type OwnHeaders } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import type { HttpResponse } from './http-response.js';
import { isHttpResponse } from './is-http-response.js';
import type { Transport, WireRequest } from './transport.js';

/** SDKs send more, some of it from the environment; beside these and our own no header goes out. */
const SENT: readonly string[] = ['content-type'];
/** An SDK's own limits are out of the way: silence and retries are the business of our side. */
export const NO_TIMEOUT_MS = 2 ** 31 - 1;

const NO_BODY = /\(no body\)$/;
/** Who says in no other way that a request does not fit; of all others a refusal without a body may mean anything. */
const MUTE = /(^|\.)cerebras\.ai$/;

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

/** Requests through an SDK, which is loaded with the first one. Of the headers of a request those go out that the endpoint names too. */
export class SdkTransport implements Transport {
  private loading: Promise<Sdk> | undefined;
  private readonly headers: OwnHeaders;

  /** `load` gets the fetch that the SDK shall use. */
  constructor(
    private readonly endpoint: Endpoint,
    private readonly load: (fetch: typeof globalThis.fetch) => Promise<Sdk>,
  ) {
    this.headers = { ...COMMON_HEADERS, ...endpoint.headers };
  }

  async send(request: WireRequest, exchange: Exchange): Promise<HttpResponse> {
    const sdk = await (this.loading ??= this.loaded());
    try {
      const response = await exchange.wait(this.requestOf(request, sdk, exchange.signal).asResponse());
      if (!isHttpResponse(response)) throw new TypeError('a response that httpFetch has not made');
      return response;
    } catch (error) {
      throw failureOfEnd(exchange, this.endpoint.name) ?? this.failureOf(error, sdk);
    }
  }

  private requestOf({ path, body, headers: own }: WireRequest, { client }: Sdk, signal: AbortSignal): ReturnType<Request> {
    const headers = { ...this.headers, ...own };
    return body ? client.post(path, { signal, headers, body }) : client.get(path, { signal, headers });
  }

  private async loaded(): Promise<Sdk> {
    checkEndpoint(this.endpoint);
    const { httpFetch } = await import('./http-fetch.js');
    return await this.load((input, init) => httpFetch(input, { ...init, headers: this.sent(init?.headers) }));
  }

  private sent(headers: RequestInit['headers']): Headers {
    const own = [...new Headers(headers)].filter(([name]) => SENT.includes(name) || name in this.headers);
    return new Headers(own);
  }

  private failureOf(error: unknown, sdk: Sdk): BackendError {
    const { name: backend } = this.endpoint;
    const failure = sdk.errorIn(error);
    if (!failure) return notSent(this.endpoint, error);
    const { status, headers = new Headers() } = failure;
    if (status === undefined) return unreachable(this.endpoint, failure);
    return classify({
      backend,
      status,
      headers,
      secret: secretsOf(this.endpoint),
      body: failure.error ?? this.bodyIn(status, failure.message),
    });
  }

  private bodyIn(status: number, message: string): string {
    const isOverflow = status === 400 && NO_BODY.test(message) && MUTE.test(new URL(this.endpoint.baseUrl).hostname);
    return isOverflow ? 'context_length_exceeded, by what this server refuses without a word' : textAfterStatus(message);
  }
}

/** The SDKs put the status before a body that is not JSON. */
function textAfterStatus(message: string): string {
  return message.replace(/^\d{3} /, '');
}
