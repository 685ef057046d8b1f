import type { HttpResponse } from './http-response.js';

/** Told by its own property: who starts need not load the class, and with it all of Node's fetch. */
export function isHttpResponse(response: Response): response is HttpResponse {
  return 'stream' in response;
}
