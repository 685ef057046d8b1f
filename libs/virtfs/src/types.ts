export type Awaitable<T> = T | Promise<T>;

/**
 * What a client is to the server. `user`: the owner; mode bits alone decide. All others read what the bits
 * let them read, and write only rows, and give only commands, that are opened to their role.
 */
export type Role = 'user' | 'agent' | 'guest';

/** Whom beside `user` something is open to: a role, or those of a role for whom it holds that `when`. */
export type Grant<S> = Role | ConditionalGrant<S>;

export interface ConditionalGrant<in S> {
  readonly role: Role;
  readonly when: (subject: S, client: Client) => boolean;
}

/** Who calls, as far as a file may know. */
export interface Client {
  /** Given by the door, never by the client itself. */
  readonly role: Role;
  /** The name given at attach. */
  readonly uname: string;
  /** The attach name as given (toolsrv: the agent id). */
  readonly aname: string;
  /** Identity for seen counters: the `client=` tag of the attach name, else unique to the connection. Never empty. */
  readonly tag: string;
  /** The session leader part of a `client=` tag (`<leader>.<parent>.<start>`), when there is one. */
  readonly leader?: string;
  /** How long a blocked read may last (`wait=`); undefined = for ever. */
  readonly waitMs?: number;
}

/** What a row's arrow gets besides its subject. `signal` aborts on flush, clunk and hang-up. */
export interface Call {
  readonly signal: AbortSignal;
  readonly client: Client;
}

export interface Access {
  readonly read: boolean;
  readonly write: boolean;
  /** OTRUNC: clears a data file, means nothing to other kinds. */
  readonly truncate: boolean;
}

/** Why a handle closes: the client let go of it, or the connection is gone. */
export type CloseReason = 'clunk' | 'hangup';

/** What tells of an abort, once, as an AbortSignal does. */
export interface AbortSource {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

export interface AbortListener {
  handleEvent(): void;
}

/** Who waits for a read or a write. Making a signal costs more than a short read does, so it is made when it is first looked at. */
export interface Waiter {
  /** Aborts on flush, clunk and hang-up. */
  readonly signal: AbortSignal;
  /** Tells of the same without making the signal. */
  readonly source?: AbortSource;
}

/** Who waits for a value. Exactly one of the two is called, once, in the moment in which it is known; neither may throw. */
export interface Settled<in T> {
  there(value: T): void;
  failed(error: unknown): void;
}

/** A value that one waits for: a promise to all who want one, and less than that to who can do without. */
export interface Later<out T> extends PromiseLike<T> {
  /** At most one waits so; at once when it is known already. */
  whenSettled(waiting: Settled<T>): void;
}

/**
 * One open of one file. Doors call at most one `write` or `close` at a time on a handle, in the order
 * in which they came; reads may overlap with anything. Offsets are non-negative safe integers.
 */
export interface FileHandle {
  /** At most `count` bytes; empty = end of file. May wait; rejects with InterruptedFileError when the signal aborts. */
  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> | Later<Uint8Array>;
  /** Takes all of `data` (a copy is made if it is kept) or throws. */
  write(offset: number, data: Uint8Array, waiter: Waiter): Awaitable<void>;
  /** Commits what waits for the close, aborts what the handle still runs. An error is the commit's. */
  close(reason: CloseReason): Awaitable<void>;
}

/** `length` in bytes, `mtimeMs` since the epoch, `version` grows with each change of content. */
export interface FileFacts {
  readonly length: number;
  readonly version: number;
  readonly mtimeMs: number;
  readonly muid: string;
}

export type KindName = 'text' | 'settings' | 'data' | 'control' | 'message' | 'ask' | 'queue' | 'latest' | 'wait' | 'stream';

/** What one file of one subject can do; made once per subject and row, and kept with the subject. */
export interface FileBehaviour {
  open(access: Access, client: Client): Awaitable<FileHandle>;
  facts(): Awaitable<FileFacts>;
  /** The version as far as it is known without rendering anything: what `facts` told last, or newer. */
  readonly version: number;
  /** Sets the length (wstat, setattr). Absent: length 0 is accepted and does nothing, other lengths are refused. */
  truncate?(length: number, call: Call): Awaitable<void>;
}

declare const subject: unique symbol;

/** One row of a table. `mode` holds permission bits only. `usage` is what help shows below the row. */
export interface FileSpec<in S> {
  readonly kind: KindName;
  readonly mode: number;
  readonly about: string;
  readonly usage?: readonly string[];
  /** Who beside `user` may write. Absent: nobody. */
  readonly writers?: readonly Grant<S>[];
  /** Throws FileDeniedError for a client that may not open it at all. Absent: the mode bits decide. */
  readonly admit?: (client: Client, subject: S) => void;
  readonly bind: (subject: S) => FileBehaviour;
  readonly [subject]?: (s: S) => void;
}

/** The changing children of a directory. Names are unique; `find` also knows aliases that are not listed. */
export interface Children<in P, C extends object> {
  entries(parent: P): Iterable<readonly [name: string, child: C]>;
  find(parent: P, name: string): C | undefined;
  /** The listed name of a child that was found by an alias, or renamed since. Absent: `entries` is searched. */
  nameOf?(child: C): string;
  /** Placeholder of a child's name in help and docs: `{session}`. */
  readonly label: string;
  /** Remove and rename of a child's directory. Absent: permission denied. */
  remove?(parent: P, child: C, call: Call): Awaitable<void>;
  rename?(parent: P, child: C, name: string, call: Call): Awaitable<void>;
}

export interface DirSpec<in S> {
  readonly kind: 'dir';
  readonly mode: number;
  readonly about: string;
  readonly entries: Readonly<Record<string, FileSpec<S> | DirSpec<S>>>;
  /** Names that walk like an entry but are not listed: `{ s: 'session' }`. */
  readonly aliases: Readonly<Record<string, string>>;
  /** Throws FileDeniedError for a client that may not come in. Absent: everybody may. */
  readonly admit?: (client: Client, subject: S) => void;
  readonly dynamic?: { readonly children: Children<S, object>; readonly each: DirSpec<object> | FileSpec<object> };
  readonly [subject]?: (s: S) => void;
}

/** A command of a control file. What `run` returns is the answer; nothing means `ok`. */
export interface Command<in S> {
  readonly about: string;
  /** Shown in help: `<text>`, `[profile]`; empty for none. */
  readonly argument: string;
  /** Who beside `user` may give it. Absent: nobody. */
  readonly givers?: readonly Grant<S>[];
  readonly run: (subject: S, argument: string, call: Call) => Awaitable<string | undefined | void>;
}

export interface NodeStat extends FileFacts {
  readonly name: string;
  readonly isDirectory: boolean;
  /** Unique and stable for the object behind the file; a rename keeps it. */
  readonly id: number;
  /** Permission bits. */
  readonly mode: number;
}

/** A place in a mounted tree, resolved to its subject. Cheap, immutable, without open state. */
export interface TreeNode {
  readonly name: string;
  readonly isDirectory: boolean;
  readonly id: number;
  readonly mode: number;
  readonly kind: KindName | 'dir';
  /** As `FileBehaviour.version`; for a directory the version of the last listing. */
  readonly version: number;
  readonly parent: TreeNode;
  /** True: a row of the table, which is there as long as its parent, under this name. */
  readonly isFixed: boolean;
  /** Throws FileDeniedError for a client that may not come here; a door asks on its way. A file says more when it is opened. */
  admit(client: Client): void;
  /** The same object as before when nothing has changed. */
  stat(): Awaitable<NodeStat>;
  /** The child of that name, `..` included; undefined when there is none. Only on directories. */
  walk(name: string): TreeNode | undefined;
  /** The children in the order of the table, dynamic ones last, whose stats tell the names listed now. Only on directories. */
  list(): readonly TreeNode[];
  /** What `list` would tell by the stats of its nodes: the very same array as before while nothing has changed. Only on directories. */
  stats(): Awaitable<readonly NodeStat[]>;
  /** Only on files. Mode bits are the door's to check. */
  open(access: Access, client: Client): Awaitable<FileHandle>;
  truncate(length: number, call: Call): Awaitable<void>;
  /** Throws FileDeniedError where the table has no rename or remove. */
  rename(name: string, call: Call): Awaitable<void>;
  remove(call: Call): Awaitable<void>;
}
