// Signatures to build. Each concept goes to its own file; this file becomes hand-written re-exports.

export type Awaitable<T> = T | Promise<T>;

/** type: QTDIR 0x80, QTAUTH 0x08, else 0. `path` is a non-negative safe integer, `version` a uint32. */
export interface Qid {
  readonly type: number;
  readonly version: number;
  readonly path: number;
}

/** A 9P directory entry. `mode` includes DMDIR/DMAUTH; times in whole seconds. */
export interface Stat {
  readonly qid: Qid;
  readonly mode: number;
  readonly atime: number;
  readonly mtime: number;
  readonly length: number;
  readonly name: string;
  readonly uid: string;
  readonly gid: string;
  readonly muid: string;
}

/** The fields of a Twstat that are not "don't touch". */
export interface StatChange {
  readonly mode?: number;
  readonly atime?: number;
  readonly mtime?: number;
  readonly length?: number;
  readonly name?: string;
  readonly gid?: string;
}

/** Bits of Topen: 0 read, 1 write, 2 read and write, 3 execute; | 0x10 truncate; | 0x40 remove on close. */
export type OpenMode = number;

/**
 * A place in a file tree as the server walks it. The server has checked every rule of the protocol
 * (fids, modes against open state, names, counts); the tree decides on existence and permission.
 * Errors thrown here reach the client as their message.
 */
export interface ServedNode {
  readonly qid: Qid;
  /** Undefined: no such name. `..` is asked for too; at the root it answers the root. */
  walk(name: string): Awaitable<ServedNode | undefined>;
  stat(): Awaitable<Stat>;
  /** Checks permission for `mode` and opens. A directory gives its listing by `list`. */
  open(mode: OpenMode): Awaitable<OpenFile>;
  /** The stats of the children; only called on directories that are open. */
  list(): Awaitable<readonly Stat[]>;
  wstat(change: StatChange, signal: AbortSignal): Awaitable<void>;
  remove(signal: AbortSignal): Awaitable<void>;
}

export interface OpenFile {
  /** At most `count` bytes, empty at the end; rejects when `signal` aborts. */
  read(offset: number, count: number, signal: AbortSignal): Awaitable<Uint8Array>;
  write(offset: number, data: Uint8Array, signal: AbortSignal): Awaitable<void>;
  close(reason: 'clunk' | 'hangup'): Awaitable<void>;
}

/** An auth fid being talked to. */
export interface AuthConversation {
  write(data: Uint8Array): Awaitable<void>;
  read(offset: number, count: number): Awaitable<Uint8Array>;
  /** True once the client has proved itself. */
  readonly done: boolean;
}

/** `auth` is the finished conversation of the afid, whose uname and aname the server has found equal. */
export interface AttachRequest {
  readonly uname: string;
  readonly aname: string;
  readonly connectionId: number;
  readonly auth: AuthConversation | undefined;
}

export interface FileServer {
  /** Starts an auth conversation; throws (`permission denied: no auth required`) where none is needed. */
  authenticate(uname: string, aname: string): Awaitable<AuthConversation>;
  attach(request: AttachRequest): Awaitable<ServedNode>;
}

/** An error with the exact text for Rerror and the errno for other dialects. */
export declare class NinepError extends Error {
  constructor(message: string, posix: string);
  readonly posix: string;
}

export interface ServerLimits {
  readonly maxMessageBytes: number;
  readonly maxConnections: number;
  readonly maxFidsPerConnection: number;
  readonly maxPendingPerConnection: number;
  /** Unsent reply bytes at which a connection is no longer read from. */
  readonly highWaterBytes: number;
}

/** `tcp` comes with the later TCP door; both spellings parse already. */
export type Address = { readonly type: 'unix'; readonly path: string } | { readonly type: 'tcp'; readonly host: string; readonly port: number };
/** Parses `unix!path`, `tcp!host!port`, `tcp!host:port`, a bare path. Throws NinepError `illegal argument: ...`. */
export declare function parseAddress(text: string): Address;
/** $NAMESPACE, else /tmp/ns.$USER.$DISPLAY (contract section 2). */
export declare function namespaceDirectory(env: Readonly<Record<string, string | undefined>>): string;
/** Makes the directory 0700 if it is missing; throws when it is not the user's own or not 0700. */
export declare function ensureOwnDirectory(path: string): void;

export interface ListenOptions {
  readonly limits?: Partial<ServerLimits>;
  /** Called for errors that are not for the client (no `posix`): bugs. */
  readonly onBug?: (error: unknown) => void;
}

export declare class NinepServer {
  constructor(files: FileServer, options?: ListenOptions);
  /** Binds a Unix socket (0600). A socket file that nobody answers is replaced; one that answers is an error naming it. */
  listen(address: Address): Promise<void>;
  readonly connections: number;
  /** Calls back with the number of open connections whenever it changes. */
  onConnections(callback: (count: number) => void): void;
  /** Stops listening, hangs up every connection (which cancels and closes all), resolves when done. */
  close(): Promise<void>;
}

export interface DialOptions {
  readonly address: Address;
  readonly uname: string;
  readonly aname: string;
  /** Runs Tauth, writes this, attaches with the afid. */
  readonly secret?: string;
  readonly msize?: number;
}

/** A connection, attached. Requests are pipelined. */
export declare class Client {
  static dial(options: DialOptions, signal?: AbortSignal): Promise<Client>;
  /** What the server answered on the auth fid (the session token), when there was a secret. */
  readonly authAnswer: string | undefined;
  /** Resolves when the connection is gone, with the reason. */
  readonly closed: Promise<Error>;
  open(path: string, mode: OpenMode, signal?: AbortSignal): Promise<RemoteFile>;
  stat(path: string, signal?: AbortSignal): Promise<Stat>;
  wstat(path: string, change: StatChange, signal?: AbortSignal): Promise<void>;
  remove(path: string, signal?: AbortSignal): Promise<void>;
  list(path: string, signal?: AbortSignal): Promise<readonly Stat[]>;
  /** Open, read to the end, clunk. */
  readAll(path: string, signal?: AbortSignal): Promise<Uint8Array>;
  /** Open for writing with truncation, write, clunk; the clunk's error is thrown. */
  writeAll(path: string, data: Uint8Array | string, signal?: AbortSignal): Promise<void>;
  /** Open read-write, write all, read the answer to its end, clunk. */
  ask(path: string, request: Uint8Array | string, signal?: AbortSignal): Promise<Uint8Array>;
  close(): void;
}

/** An open fid. An abort sends Tflush and then Tclunk, and rejects with the signal's reason. */
export declare class RemoteFile {
  readonly iounit: number;
  read(offset: number, count: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Splits to the message size; resolves when all is taken. */
  write(offset: number, data: Uint8Array, signal?: AbortSignal): Promise<void>;
  clunk(): Promise<void>;
}
