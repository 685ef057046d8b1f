import type { QuirkSettings } from './openai/quirks.js';
import type { HttpBackendOptions } from './wire/http-backend.js';

/** Where a token that lasts is exchanged for one that does not. */
export interface TokenExchange {
  readonly url: string;
  /** Undefined = those of all other requests. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** One account of one server. */
export interface Connection extends HttpBackendOptions {
  /** Undefined = the provider's own. */
  readonly baseUrl: string | undefined;
  /** Undefined = nothing is sent of the kind. It goes into no message. */
  readonly key: string | undefined;
  /** Sent with every request; one of them replaces what would be sent by that name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Of a server that speaks a dialect of OpenAI's. */
  readonly quirks?: QuirkSettings | undefined;
  /** Of Ollama: the window that every model is run with, in tokens; undefined = as its Modelfile has it, or as it is loaded. */
  readonly numCtx?: number | undefined;
  /** Of Copilot: undefined = the key is sent as it is. */
  readonly exchange?: TokenExchange | undefined;
  /** Of Kiro: where a login of the user's lies, as Kiro keeps it; it is read and never written. A key counts before it. */
  readonly tokenFile?: string | undefined;
  /** Of Kiro: some accounts must say which profile they use; undefined = that of the login. */
  readonly profileArn?: string | undefined;
  /** Of Kiro: as what requests come; undefined = it is not said. */
  readonly origin?: string | undefined;
}
