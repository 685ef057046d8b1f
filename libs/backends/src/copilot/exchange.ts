import { AuthError, isJsonObject, type JsonObject } from '#model';
import { wholeBody } from '../wire/body.js';
import { inLowerCase } from '../wire/endpoint.js';
import { Exchange } from '../wire/exchange.js';
import { numberField, objectField, textField } from '../wire/json-fields.js';
import { parseDocument } from '../wire/parse-event.js';
import { PlainTransport } from '../wire/plain-transport.js';
import type { Token } from '../wire/token-keeper.js';
import { tokenOf } from './token.js';
import type { Connection, TokenExchange } from '../connection.js';

const PATIENCE = { idleMs: 10_000, progressMs: 10_000 };

/** A new token for the one that lasts. Nobody can abort it: others may wait for it too. Throws BackendError. */
export async function exchanged({ name, key, headers }: Connection, to: TokenExchange): Promise<Token> {
  const backend = `${name} token exchange`;
  const authorization = key === undefined ? null : `Bearer ${key}`;
  const endpoint = { name: backend, baseUrl: to.url, secret: key, headers: { authorization, ...inLowerCase(to.headers ?? headers) } };
  const exchange = new Exchange(PATIENCE, new AbortController().signal);
  try {
    const response = await new PlainTransport(endpoint).send({ path: '' }, exchange);
    const answer = parseDocument(await wholeBody(response, exchange, backend), backend);
    return tokenIn(isJsonObject(answer) ? answer : {}, backend);
  } finally {
    exchange.close();
  }
}

function tokenIn(answer: JsonObject, backend: string): Token {
  const text = textField(answer, 'token');
  if (!text) throw new AuthError(`${backend}: no token in the answer`, { backend, kind: 'auth' });
  const expiresAt = numberField(answer, 'expires_at');
  const baseUrl = textField(objectField(answer, 'endpoints'), 'api')?.replace(/\/+$/, '');
  return { ...tokenOf(text), ...(baseUrl && { baseUrl }), ...(expiresAt !== undefined && { expiresAt: expiresAt * 1000 }) };
}
