import type { HttpBackendOptions } from '../wire/http-backend.js';

/** `baseUrl` undefined = Anthropic's own. With a `key` the `token` is not used; without either nothing is sent of the kind. */
export interface AnthropicOptions extends HttpBackendOptions {
  /** What stands before `/v1/messages`; a `/v1` at its end is none of it. */
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly token: string | undefined;
}

/** What no message may hold. */
export function secretOf({ key, token }: AnthropicOptions): string | undefined {
  return key ?? token;
}
