import type { JsonObject } from '#model';
import type { Exchange } from './exchange.js';
import type { HttpResponse } from './http-response.js';

/** With a body a POST, without one a GET. */
export interface WireRequest {
  /** Below the base URL, with the slash. */
  readonly path: string;
  readonly body?: JsonObject;
  /** Beside those of every request, by names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one request, once. Resolves with the response of a 2xx; throws BackendError for everything else. */
export interface Transport {
  send(request: WireRequest, exchange: Exchange): Promise<HttpResponse>;
}
