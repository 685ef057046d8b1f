import { inLowerCase } from '../wire/endpoint.js';
import { PlainTransport } from '../wire/plain-transport.js';
import { RenewingTransport } from '../wire/renewing-transport.js';
import type { TokenKeeper } from '../wire/token-keeper.js';
import type { Transport } from '../wire/transport.js';
import type { KiroOptions } from './options.js';

const DEFAULT_URL = 'https://q.us-east-1.amazonaws.com';
/** A key of Kiro looks so, and is announced as one. */
const KIRO_KEY = /^ksk_/;

export function kiroTransport(options: KiroOptions, tokens: TokenKeeper | undefined): Transport {
  if (!tokens) return transportWith(options, undefined);
  return new RenewingTransport({
    name: options.name,
    tokens,
    refusals: [401, 403],
    transportWith: ({ text }) => transportWith(options, text),
  });
}

function transportWith({ name, baseUrl = DEFAULT_URL, headers }: KiroOptions, token: string | undefined): Transport {
  const who = token === undefined ? {} : { authorization: `Bearer ${token}`, ...(KIRO_KEY.test(token) ? { tokentype: 'API_KEY' } : {}) };
  return new PlainTransport({ name, baseUrl: baseUrl.replace(/\/+$/, ''), secret: token, headers: { ...who, ...inLowerCase(headers) } });
}
