import type { Socket } from 'node:net';
import type { AttachingUser, AttachRequest, AuthConversation, Awaitable, ServerLimits } from '#ninep';
import type { Role } from '#virtfs';
import type { AttachName } from './attach-name.js';

/** How a server lets clients in. */
export interface Entrance {
  /** Starts a Tauth conversation. Default: `permission denied: no auth required`. */
  readonly authenticate?: (user: AttachingUser) => Awaitable<AuthConversation>;
  /** Throws to refuse an attach. Default: everybody may. */
  readonly authorize?: (request: AttachRequest, said: AttachName) => Awaitable<void>;
  /**
   * Throws to refuse a change: a file opened for writing, a rename, a removal. Asked before each, of whoever has come over a
   * socket. Default: everybody may.
   */
  readonly admitChange?: (socket: Socket) => Promise<void>;
  /** What those who come in are. Default: `user`. */
  readonly role?: Role;
  /** What those who come in are called, whatever they say. Default: what they say. */
  readonly uname?: string;
}

/** An address with an entrance of its own. */
export interface Door extends Entrance {
  readonly address: string;
}

/** A door that is closed by itself. */
export interface OpenDoor {
  /** Hangs up those who came in by it; resolves when their files are closed. May be repeated. */
  close(): Promise<void>;
}

/** How a server of the namespace listens, lets clients in, and reports. Whatever is left out has the default that its comment names. */
export interface NinePOptions extends Entrance {
  /** Addresses (`unix!path`, `tcp!host!port`), which have the entrance of these options, and doors. Nowhere is an error. */
  readonly listen: readonly (string | Door)[];
  /** Owner of every file. Default: the name of the server's user. */
  readonly owner?: string;
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
  /** Hears of each close that failed, with the path of the file: a mount tells nobody. */
  readonly onCloseError?: (error: unknown, path: string) => void;
  /** Hears of each attach, open, close, rename and remove, one line each. */
  readonly onTrace?: (line: string) => void;
}
