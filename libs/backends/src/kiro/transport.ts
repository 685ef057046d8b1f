import { inLowerCase } from '../wire/endpoint.js';
import type { Exchange } from '../wire/exchange.js';
import type { HttpResponse } from '../wire/http-response.js';
import { PlainTransport } from '../wire/plain-transport.js';
import { RenewingTransport } from '../wire/renewing-transport.js';
import type { Transport, WireRequest } from '../wire/transport.js';
import type { Login } from './login.js';
import type { KiroOptions } from './options.js';

const DEFAULT_URL = 'https://q.us-east-1.amazonaws.com';
/** A key of Kiro looks so, and is announced as one. */
const KIRO_KEY = /^ksk_/;

export function kiroTransport(options: KiroOptions, login: Login): Transport {
  const transportWith = (token: string | undefined): Transport => new ProfiledTransport(plainTransport(options, token), login);
  const { tokens } = login;
  if (!tokens) return transportWith(undefined);
  return new RenewingTransport({ name: options.name, tokens, refusals: [401, 403], transportWith: ({ text }) => transportWith(text) });
}

function plainTransport({ name, baseUrl = DEFAULT_URL, headers }: KiroOptions, token: string | undefined): Transport {
  const who = token === undefined ? {} : { authorization: `Bearer ${token}`, ...(KIRO_KEY.test(token) ? { tokentype: 'API_KEY' } : {}) };
  return new PlainTransport({ name, baseUrl: baseUrl.replace(/\/+$/, ''), secret: token, headers: { ...who, ...inLowerCase(headers) } });
}

/** Every request names the profile of the login, which is known with its token only. */
class ProfiledTransport implements Transport {
  constructor(
    private readonly transport: Transport,
    private readonly login: Login,
  ) {}

  async send(request: WireRequest, exchange: Exchange): Promise<HttpResponse> {
    const { profileArn } = this.login;
    const body = profileArn === undefined ? request.body : { ...request.body, profileArn };
    return await this.transport.send({ ...request, ...(body && { body }) }, exchange);
  }
}
