import { inLowerCase } from '../wire/endpoint.js';
import { PlainTransport } from '../wire/plain-transport.js';
import type { Transport } from '../wire/transport.js';
import type { OllamaOptions } from './options.js';

const LOCAL_URL = 'http://127.0.0.1:11434';

/** An address that ends in `/api` or `/v1` is meant without it. */
export function ollamaTransport({ name, baseUrl = LOCAL_URL, key, headers }: OllamaOptions): Transport {
  return new PlainTransport({
    name,
    baseUrl: baseUrl.replace(/\/+$/, '').replace(/\/(?:api|v1)$/, ''),
    secret: key,
    headers: { authorization: key === undefined ? null : `Bearer ${key}`, ...inLowerCase(headers) },
  });
}
