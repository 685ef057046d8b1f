import type { Patience } from '../wire/exchange.js';

/** An OpenAI-compatible server. `baseUrl` undefined = OpenAI's own; `key` undefined = no Authorization header. */
export interface OpenAIOptions {
  readonly name: string;
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly defaultModel: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: 180 s without a byte, 600 s with nothing but keep-alives. */
  readonly patience?: Patience;
}
