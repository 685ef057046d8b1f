import { abortable, AuthError } from '#model';
import type { Exchange } from './exchange.js';
import { failureOfEnd } from './failure-of-end.js';
import type { HttpResponse } from './http-response.js';
import type { Token, TokenKeeper } from './token-keeper.js';
import type { Transport, WireRequest } from './transport.js';

export interface RenewingTransportOptions {
  readonly name: string;
  readonly tokens: TokenKeeper;
  /** With which statuses the other side says that a token is no longer good. */
  readonly refusals: readonly number[];
  /** What sends requests with a token. */
  readonly transportWith: (token: Token) => Transport;
}

/** Requests with a token that ends. One that is refused is replaced, once; if that one is refused too it is an AuthError. */
export class RenewingTransport implements Transport {
  constructor(private readonly options: RenewingTransportOptions) {}

  async send(request: WireRequest, exchange: Exchange): Promise<HttpResponse> {
    const { tokens, transportWith } = this.options;
    const token = await this.waitFor(tokens.current(), exchange);
    try {
      return await transportWith(token).send(request, exchange);
    } catch (error) {
      if (!this.isRefusal(error)) throw error;
      const other = await this.waitFor(tokens.instead(token), exchange);
      if (other.text === token.text) throw error;
      return await transportWith(other).send(request, exchange);
    }
  }

  private isRefusal(error: unknown): boolean {
    return error instanceof AuthError && this.options.refusals.includes(error.failure.status ?? 0);
  }

  private async waitFor(token: Promise<Token>, exchange: Exchange): Promise<Token> {
    try {
      return await exchange.wait(abortable(token, exchange.signal));
    } catch (error) {
      throw failureOfEnd(exchange, this.options.name) ?? error;
    }
  }
}
