import type { Connection } from '../connection.js';

/** What stands before `/v1/messages` is its `baseUrl`; a `/v1` at its end is none of it. */
export interface AnthropicOptions extends Connection {
  /** Sent as a bearer token when there is no key. */
  readonly token?: string | undefined;
}

/** What no message may hold. */
export function secretOf({ key, token }: AnthropicOptions): string | undefined {
  return key ?? token;
}
