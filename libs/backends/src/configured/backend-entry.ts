import type { DialectName } from '../dialects.js';
import type { TokenExchange } from '../connection.js';
import type { QuirkSettings } from '../openai/quirks.js';
import type { Patience } from '../wire/exchange.js';

/** Where a key comes from: it stands there, or a command puts it out. */
export type KeySource = { readonly text: string } | { readonly command: readonly string[] };

/** Somebody whom a server knows. */
export interface AccountEntry {
  readonly name: string;
  /** Undefined = no key is sent. */
  readonly key: KeySource | undefined;
  /** Undefined = the provider's own. */
  readonly url: string | undefined;
  /** Of Kiro: the file with a login, and its profile. */
  readonly tokenFile: string | undefined;
  readonly profileArn: string | undefined;
  /** By names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Requests at a time; undefined = any number. */
  readonly concurrency: number | undefined;
}

/** One of `backends` in config.json. */
export interface BackendEntry {
  readonly name: string;
  readonly dialect: DialectName;
  readonly defaultModel: string | undefined;
  readonly patience: Partial<Patience>;
  /** Of a server that speaks a dialect of OpenAI's. */
  readonly quirks: QuirkSettings | undefined;
  /** Of Ollama: the window that every model is run with, in tokens. */
  readonly numCtx: number | undefined;
  /** Of Copilot. */
  readonly exchange: TokenExchange | undefined;
  /** Of Kiro: as what requests come. */
  readonly origin: string | undefined;
  /** Requests at a time of each account that does not say. */
  readonly concurrency: number | undefined;
  /** At least one; undefined = the one that the environment's settings of this name make. */
  readonly accounts: readonly AccountEntry[] | undefined;
}
