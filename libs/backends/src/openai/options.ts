import type { HttpBackendOptions } from '../wire/http-backend.js';

/** An OpenAI-compatible server. `baseUrl` undefined = OpenAI's own; `key` undefined = no Authorization header. */
export interface OpenAIOptions extends HttpBackendOptions {
  readonly baseUrl: string | undefined;
  readonly key: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}
