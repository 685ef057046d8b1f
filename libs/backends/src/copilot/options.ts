import type { Connection } from '../connection.js';

/** Where a token that lasts is exchanged for one that does not. */
export interface TokenExchange {
  readonly url: string;
  /** Default: those of all other requests. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** `key` is the token; with an `exchange` the one that is exchanged. `baseUrl` undefined = where the token says, else Copilot's own. */
export interface CopilotOptions extends Connection {
  readonly exchange?: TokenExchange | undefined;
}
