import type { Socket } from 'node:net';
import type { Awaitable, Later } from './awaitable.js';
import type { WriteAllowance } from './write-allowance.js';

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
  /** Numbers of owner and group, for dialects that tell numbers. Without them they are told as nobody's. */
  readonly ids?: { readonly uid: number; readonly gid: number };
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

export const openMode = { read: 0, write: 1, readWrite: 2, execute: 3, truncate: 0x10, removeOnClose: 0x40 } as const;

/** The directory bit of `Stat.mode`. */
export const DMDIR = 0x80000000;
export const QTDIR = 0x80;
export const QTAUTH = 0x08;

/**
 * A place in a file tree as the server walks it. The server has checked every rule of the protocol
 * (fids, modes against open state, names, counts); the tree decides on existence and permission.
 * Errors thrown here reach the client as their message when they have a `posix` property; others
 * are bugs, which the client sees as `i/o error: ...`.
 */
export interface ServedNode {
  readonly qid: Qid;
  /** True: where its parent is, it is, under this name and no other. A kernel may keep such a name. Absent: not known. */
  readonly isFixed?: boolean;
  /** Undefined: no such name. `..` is asked for too; at the root it answers the root. Only on directories. */
  walk(name: string): Awaitable<ServedNode | undefined>;
  /** The root's name is `/`. */
  stat(): Awaitable<Stat>;
  /**
   * Checks permission for `mode` and opens. A directory gives its listing by `list` and is opened for
   * reading or executing only. Whoever accepts `removeOnClose` gets a `remove` after the close.
   */
  open(mode: OpenMode): Awaitable<OpenFile>;
  /** The stats of the children, never changed afterwards: the same array may be given again while nothing has changed. Only called on directories. */
  list(): Awaitable<readonly Stat[]>;
  /** Makes all of the change or none. Never called without a field; fields equal to the current ones are left out (times and lengths excepted). */
  wstat(change: StatChange, signal: AbortSignal): Awaitable<void>;
  remove(signal: AbortSignal): Awaitable<void>;
}

/** What tells of an abort, once, as an AbortSignal does. */
export interface AbortSource {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: AbortListener, options?: { readonly once: true }): void;
  removeEventListener(type: 'abort', listener: AbortListener): void;
}

export interface AbortListener {
  handleEvent(): void;
}

/** Who waits for a read or a write. The signal is made when it is first looked at: that costs more than a short read does. */
export interface Waiter {
  /** Aborts on flush, on clunk of its fid if it is a read, and on hang-up. */
  readonly signal: AbortSignal;
  /** Tells of the same without making the signal. */
  readonly source?: AbortSource;
}

/**
 * One open of one file. The server has at most one `write` or `close` under way, in the order in
 * which they came; reads may overlap with anything but `close`.
 */
export interface OpenFile {
  /** At most `count` bytes, empty at the end; rejects when the signal aborts. The bytes are sent from where they lie: they must not change afterwards. */
  read(offset: number, count: number, waiter: Waiter): Awaitable<Uint8Array> | Later<Uint8Array>;
  /** Takes all of `data` (never empty; a copy is made if it is kept) or throws. */
  write(offset: number, data: Uint8Array, waiter: Waiter): Awaitable<void>;
  /** Called once. An error reaches the client at clunk; the file is closed anyway. */
  close(reason: 'clunk' | 'hangup'): Awaitable<void>;
}

/** An auth fid being talked to. */
export interface AuthConversation {
  write(data: Uint8Array): Awaitable<void>;
  read(offset: number, count: number): Awaitable<Uint8Array>;
  /** True once the client has proved itself. */
  readonly done: boolean;
}

/** Who says to be coming. `uid` is what a client of 9P2000.L gives beside the name, or instead of it: then `uname` is empty. */
export interface AttachingUser {
  readonly uname: string;
  readonly aname: string;
  readonly uid?: number;
}

/** `auth` is the finished conversation of the afid, whose user the server has found to be the same. */
export interface AttachRequest extends AttachingUser {
  readonly connectionId: number;
  /** Of the connection; absent where there is none. To ask who is at its other end, not to be read or written. */
  readonly socket?: Socket;
  /** Of the whole connection. */
  readonly allowance: WriteAllowance;
  readonly auth: AuthConversation | undefined;
}

export interface FileServer {
  /** Starts an auth conversation; throws (`permission denied: no auth required`) where none is needed. */
  authenticate(user: AttachingUser): Awaitable<AuthConversation>;
  attach(request: AttachRequest): Awaitable<ServedNode>;
}
