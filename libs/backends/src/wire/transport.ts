import type { JsonObject } from '#model';
import type { Exchange } from './exchange.js';
import type { HttpResponse } from './http-response.js';

/** Sends one request, once. Resolves with the response of a 2xx; throws BackendError for everything else. */
export interface Transport {
  post(path: string, body: JsonObject, exchange: Exchange): Promise<HttpResponse>;
  get(path: string, exchange: Exchange): Promise<HttpResponse>;
}
