import type { AttachRequest, AuthConversation, Awaitable, ServerLimits } from '#ninep';

/** How a server of the namespace listens, lets clients in, and reports. Whatever is left out has the default that its comment names. */
export interface NinePOptions {
  /** Addresses (`unix!path`); a strategy that listens nowhere is an error. */
  readonly listen: readonly string[];
  /** Owner of every file. Default: the name of the server's user. */
  readonly owner?: string;
  /** Starts a Tauth conversation. Default: `permission denied: no auth required`. */
  readonly authenticate?: (uname: string, aname: string) => Awaitable<AuthConversation>;
  /** Throws to refuse an attach. Default: everybody may. */
  readonly authorize?: (request: AttachRequest) => Awaitable<void>;
  /**
   * `options`: the attach name is options only (`client=TAG&wait=30s`). `name`: what stands before the
   * first `&` is a name (toolsrv: an agent id) and becomes the client's `aname`. Default: `options`.
   */
  readonly attachName?: 'options' | 'name';
  /** How long a blocked read lasts for clients whose attach name says nothing. Default: for ever. */
  readonly waitMs?: number;
  readonly limits?: Partial<ServerLimits>;
  /** Hears of errors that are no answer to a client: bugs. */
  readonly onBug?: (error: unknown) => void;
  /** Hears of each attach, open, close, rename and remove, one line each. */
  readonly onTrace?: (line: string) => void;
}
