import { inLowerCase } from '../wire/endpoint.js';
import { PlainTransport } from '../wire/plain-transport.js';
import { RenewingTransport } from '../wire/renewing-transport.js';
import type { TokenKeeper } from '../wire/token-keeper.js';
import type { Transport } from '../wire/transport.js';
import type { KiroOptions } from './options.js';

const DEFAULT_URL = 'https://q.us-east-1.amazonaws.com';
/** A key of Kiro looks so, and is announced as one. */
const KIRO_KEY = /^ksk_/;

export function kiroTransport({ name, baseUrl = DEFAULT_URL, headers }: KiroOptions, tokens: TokenKeeper): Transport {
  return new RenewingTransport({
    name,
    tokens,
    refusals: [401, 403],
    transportWith: ({ text }) =>
      new PlainTransport({
        name,
        baseUrl: baseUrl.replace(/\/+$/, ''),
        secret: text,
        headers: { authorization: `Bearer ${text}`, tokentype: KIRO_KEY.test(text) ? 'API_KEY' : null, ...inLowerCase(headers) },
      }),
  });
}
