import { jsonIn, type JsonValue } from '#model';
import { classify } from './classify.js';
import { checkEndpoint, COMMON_HEADERS, notSent, secretsOf, unreachable, type Endpoint } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import type { HttpResponse } from './http-response.js';
import { isHttpResponse } from './is-http-response.js';
import type { Transport, WireRequest } from './transport.js';

/** Requests without an SDK. */
export class PlainTransport implements Transport {
  constructor(private readonly endpoint: Endpoint) {}

  async send(request: WireRequest, exchange: Exchange): Promise<HttpResponse> {
    checkEndpoint(this.endpoint);
    const response = await this.answerTo(request, this.headersOf(request), exchange);
    if (isHttpResponse(response)) return response;
    const { name: backend } = this.endpoint;
    const { status, headers } = response;
    throw classify({ backend, status, headers, secret: secretsOf(this.endpoint), body: documentOrText(await response.text()) });
  }

  private async answerTo({ path, body }: WireRequest, headers: Headers, exchange: Exchange): Promise<Response> {
    const { httpFetch } = await import('./http-fetch.js');
    const init = { method: body ? 'POST' : 'GET', headers, body: body ? JSON.stringify(body) : null, signal: exchange.signal };
    try {
      return await exchange.wait(httpFetch(this.endpoint.baseUrl + path, init));
    } catch (error) {
      throw failureOfEnd(exchange, this.endpoint.name) ?? unreachable(this.endpoint, error);
    }
  }

  private headersOf({ body, headers }: WireRequest): Headers {
    const all = { ...COMMON_HEADERS, ...(body && { 'content-type': 'application/json' }), ...this.endpoint.headers, ...headers };
    try {
      return new Headers(Object.entries(all).filter((header): header is [string, string] => header[1] !== null));
    } catch (error) {
      throw notSent(this.endpoint, error);
    }
  }
}

/** Of a refusal all that came has been read. */
function documentOrText(text: string): JsonValue {
  const value = jsonIn(text);
  return value === undefined ? text : value;
}
