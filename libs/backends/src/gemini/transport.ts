import type { Connection } from '../connection.js';
import { inLowerCase } from '../wire/endpoint.js';
import { PlainTransport } from '../wire/plain-transport.js';
import type { Transport } from '../wire/transport.js';

const GEMINI_URL = 'https://generativelanguage.googleapis.com';

export function geminiTransport({ name, key, headers, ...connection }: Connection): Transport {
  const baseUrl = (connection.baseUrl ?? GEMINI_URL).replace(/\/+$/, '').replace(/\/v1beta$/, '');
  return new PlainTransport({ name, baseUrl, secret: key, headers: { 'x-goog-api-key': key ?? null, ...inLowerCase(headers) } });
}
