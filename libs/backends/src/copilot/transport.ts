import { inLowerCase } from '../wire/endpoint.js';
import { PlainTransport } from '../wire/plain-transport.js';
import { RenewingTransport } from '../wire/renewing-transport.js';
import { TokenKeeper, type Token } from '../wire/token-keeper.js';
import type { Transport } from '../wire/transport.js';
import { exchanged } from './exchange.js';
import type { Connection } from '../connection.js';
import { tokenOf } from './token.js';

const COPILOT_URL = 'https://api.individual.githubcopilot.com';
const REFUSALS = [401];

/** One that cannot be exchanged stays the same. */
export function copilotTokens(options: Connection): TokenKeeper {
  const { key = '', exchange } = options;
  return new TokenKeeper(exchange ? async () => await exchanged(options, exchange) : () => Promise.resolve(tokenOf(key)));
}

export function copilotTransport({ name, baseUrl, headers }: Connection, tokens: TokenKeeper): Transport {
  const own = inLowerCase(headers);
  const transportWith = ({ text, baseUrl: told }: Token): Transport =>
    new PlainTransport({
      name,
      baseUrl: baseUrl?.replace(/\/+$/, '') ?? told ?? COPILOT_URL,
      secret: text,
      headers: { authorization: text === '' ? null : `Bearer ${text}`, ...own },
    });
  return new RenewingTransport({ name, tokens, refusals: REFUSALS, transportWith });
}
