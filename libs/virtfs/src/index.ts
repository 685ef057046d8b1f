import type { Awaitable, Call, Children, Client, Command, DirSpec, FileSpec, TreeNode } from './types.js';
export type * from './types.js';
export * from './errors.js';

// Signatures to build. Each kind goes to its own file; this file becomes hand-written re-exports.
export declare function text<S>(
  about: string,
  read: (s: S, call: Call) => Awaitable<string>,
  write?: (s: S, value: string, call: Call) => Awaitable<void>,
): FileSpec<S>;
export declare function data<S>(about: string, buffer: (s: S) => DataBuffer): FileSpec<S>;
export declare function control<S>(about: string, commands: Readonly<Record<string, Command<S>>>, options?: { readonly writeOnly?: boolean }): FileSpec<S>;
export declare function message<S>(about: string, accept: (s: S, text: string, call: Call) => Awaitable<void>): FileSpec<S>;
export interface AskOptions<S> {
  /** Checks each complete line as it is written; throws to refuse it. Nothing is executed. */
  readonly check?: (s: S, line: string) => void;
  /** What a read before any write gives (proc/list lists everything). Default: empty. */
  readonly unasked?: (s: S, call: Call) => Awaitable<string>;
  readonly usage?: readonly string[];
}
export declare function ask<S>(
  about: string,
  answer: (s: S, request: string, call: Call) => Awaitable<string | AsyncIterable<string>>,
  options?: AskOptions<S>,
): FileSpec<S>;
export declare function wait<S>(about: string, cell: (s: S) => WaitSource): FileSpec<S>;
export declare function stream<S>(about: string, log: (s: S) => ByteLog): FileSpec<S>;
export declare function output<S>(about: string, log: (s: S) => ByteLog): FileSpec<S>;
export declare function command<S>(about: string, run: Command<S>['run'], argument?: string): Command<S>;
export declare function dir<S>(entries: DirSpec<S>['entries'], options?: { readonly about?: string; readonly aliases?: Readonly<Record<string, string>> }): DirSpec<S>;
export declare function dirOf<P, C extends object>(
  entries: DirSpec<P>['entries'],
  children: Children<P, C>,
  each: DirSpec<C> | FileSpec<C>,
): DirSpec<P>;
export declare function mount<S extends object>(spec: DirSpec<S>, subject: S): TreeNode;
/** Plain text for a terminal (`help`) and markdown (docs/namespace.md) from the same table. */
export declare function renderReference(spec: DirSpec<never>, form: 'text' | 'markdown'): string;

/** Bytes that a data file reads and writes in place. `replace` swaps the content and counts a change. */
export declare class DataBuffer {
  constructor(maxBytes: number);
  readonly bytes: Uint8Array;
  readonly version: number;
  readonly mtimeMs: number;
  muid: string;
  readonly text: string;
  replace(bytes: Uint8Array, muid: string): void;
}

/** What a wait file reads from: `next` resolves with the text of the newest thing that this client has not had. */
export interface WaitSource {
  next(client: Client, signal: AbortSignal): Promise<string>;
  /** What a read returns when `waitMs` ran out; undefined = end of file. */
  current?(): string;
}

/** An append-only log of bytes that wakes its readers. */
export declare class ByteLog {
  /** Bytes appended so far, dropped ones included. */
  readonly length: number;
  readonly version: number;
  readonly mtimeMs: number;
  append(text: string | Uint8Array): void;
  /** While held, a reader at the end waits; once released, it gets the end of file. Nested holds count. */
  hold(): void;
  release(): void;
  /** At most `count` bytes from `offset`; empty at the end of a log that is not held. */
  at(offset: number, count: number, signal: AbortSignal): Awaitable<Uint8Array>;
  /** The last `bytes` bytes, cut forward to the start of a line. */
  tail(bytes: number): string;
}

/** A value whose changes no client misses (decision 13 in the contract's 1.11). */
export declare class ValueCell<T> {
  constructor(initial: T);
  readonly value: T;
  /** Counts changes from 0. Setting an equal value is no change. */
  readonly version: number;
  set(value: T): void;
  /** A change wakes every waiter; a client that already lags behind gets the newest value at once. The first look waits, unless `markSeen` ran for its leader. */
  next(client: Client, signal: AbortSignal): Promise<T>;
  /** The present version counts as seen for every client of this client's session leader. */
  markSeen(client: Client): void;
  /** Resolves with the value once `test` accepts it, the present one included. */
  until(test: (value: T) => boolean, signal: AbortSignal): Promise<T>;
}

/** In-process client of a mounted tree, for tests and for doors that need one: paths are relative to the root. */
export declare class MemoryClient {
  constructor(root: TreeNode, client?: Partial<Client>);
  ls(path: string): Promise<readonly string[]>;
  read(path: string, signal?: AbortSignal): Promise<string>;
  write(path: string, text: string): Promise<void>;
  ask(path: string, text: string, signal?: AbortSignal): Promise<string>;
}
