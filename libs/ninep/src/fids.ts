import { badFid, illegalArgument, ioError, unknownFid } from './errors.js';
import { NOFID } from './fcall.js';
import { openMode, type AttachingUser, type AuthConversation, type OpenFile, type OpenMode, type ServedNode } from './file-server.js';
import type { Listing } from './listing.js';
import type { Request } from './requests.js';
import { Sequence } from './sequence.js';

/** An opened file. `listing` is there for directories. */
export interface OpenState {
  readonly kind: 'open';
  readonly node: ServedNode;
  readonly mode: OpenMode;
  readonly file: OpenFile;
  readonly listing: Listing | undefined;
}

interface AuthState {
  readonly kind: 'auth';
  readonly conversation: AuthConversation;
  readonly user: AttachingUser;
}

/** `empty`: the walk, attach or auth that makes the fid has not ended, or has failed. */
export type FidState = { readonly kind: 'empty' } | { readonly kind: 'node'; readonly node: ServedNode } | AuthState | OpenState;

/** What a client's number stands for. */
export class Fid {
  state: FidState = { kind: 'empty' };
  readonly sequence = new Sequence();
  /** Mostly one. */
  #reader: Request | undefined;
  #otherReaders: Request[] | undefined;
  #onRelease: (() => void)[] = [];

  /** The place the fid stands for, open or not. */
  get node(): ServedNode {
    if (this.state.kind === 'empty') throw unknownFid();
    if (this.state.kind === 'auth') throw badFid('auth fid');
    return this.state.node;
  }

  /** The place, when the fid is not open. */
  get unopened(): ServedNode {
    if (this.state.kind === 'open') throw badFid('already open');
    return this.node;
  }

  /** Notes a read that goes on, until it is done. */
  addReader(request: Request): void {
    request.reads = this;
    if (this.#reader === undefined) this.#reader = request;
    else (this.#otherReaders ??= []).push(request);
  }

  dropReader(request: Request): void {
    if (this.#reader === request) this.#reader = undefined;
    else this.#otherReaders = this.#otherReaders?.filter((other) => other !== request);
  }

  /** Aborts the reads that go on; resolves when all are answered. */
  async endReads(): Promise<void> {
    const readers = [...(this.#reader ? [this.#reader] : []), ...(this.#otherReaders ?? [])];
    const ended = readers.map((request) => request.whenDone());
    for (const request of readers) request.abort();
    await Promise.all(ended);
  }

  /** Calls back once, when the fid is let go of. */
  whenReleased(callback: () => void): void {
    this.#onRelease.push(callback);
  }

  /** Lets go of an open file, after the changes that came before. Reads that still go on then are aborted. */
  async close(reason: 'clunk' | 'hangup'): Promise<void> {
    await this.sequence.change(() => this.#release(reason));
  }

  async #release(reason: 'clunk' | 'hangup'): Promise<void> {
    await this.endReads();
    const { state } = this;
    this.state = { kind: 'empty' };
    for (const callback of this.#onRelease.splice(0)) callback();
    if (state.kind !== 'open') return;
    await state.file.close(reason);
    if (state.mode & openMode.removeOnClose) await state.node.remove(new AbortController().signal);
  }
}

/** The fids of one session by their number. */
export class FidTable {
  #byNumber = new Map<number, Fid>();

  constructor(private readonly most: number) {}

  get(number: number): Fid {
    const fid = this.#byNumber.get(number);
    if (fid === undefined) throw unknownFid();
    return fid;
  }

  add(number: number): Fid {
    if (number === NOFID || this.#byNumber.has(number)) throw illegalArgument('fid in use');
    if (this.#byNumber.size >= this.most) throw ioError('too many fids');
    const fid = new Fid();
    this.#byNumber.set(number, fid);
    return fid;
  }

  /** Frees the number at once; whoever has the fid keeps it. */
  take(number: number): Fid {
    const fid = this.get(number);
    this.#byNumber.delete(number);
    return fid;
  }

  /** Frees the number if it still stands for `fid`: a clunk may have freed it, and another walk may have taken it. */
  drop(number: number, fid: Fid): void {
    if (this.#byNumber.get(number) === fid) this.#byNumber.delete(number);
  }

  all(): readonly Fid[] {
    return [...this.#byNumber.values()];
  }
}
