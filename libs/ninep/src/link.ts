import type { Socket } from 'node:net';
import { decodeBody, decodeHead } from './codec.js';
import { errorFromText, ioError, NinepError } from './errors.js';
import { NOFID, NOTAG, type Fcall, type MessageType } from './fcall.js';
import { Flushes } from './flushes.js';
import { Framer } from './frame.js';
import { NumberPool } from './number-pool.js';
import { Outbox } from './outbox.js';
import { Reader } from './reader.js';
import { TagTable } from './tag-table.js';

type Reply<K extends MessageType> = Extract<Fcall, { readonly type: K }>;

/** Who waits for the reply to a tag. After an abort nobody does, but the tag is not free before Rflush. */
interface Pending {
  settle(reply: Fcall): void;
  fail(reason: unknown): void;
}

const abandoned: Pending = { settle: () => undefined, fail: () => undefined };

/** The client's end of a connection: pipelined requests, each with its own tag. A server that breaks the protocol is hung up on. */
export class Link {
  /** Resolves when the connection is gone, with the reason. */
  readonly closed: Promise<Error>;
  readonly fids = new NumberPool('fids', NOFID);
  readonly #tags = new NumberPool('requests', NOTAG);
  readonly #pending = new TagTable<Pending>();
  readonly #flushes = new Flushes();
  readonly #framer = new Framer(() => this.#msize);
  readonly #reader = new Reader();
  readonly #outbox: Outbox;
  #msize: number;
  #failure: NinepError | undefined;

  constructor(
    private readonly socket: Socket,
    offeredMsize: number,
  ) {
    this.#msize = offeredMsize;
    this.#outbox = new Outbox(socket, () => undefined);
    this.closed = new Promise((resolve) => socket.once('close', () => resolve(this.#end())));
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.fail(ioError(`connection lost: ${error.message}`, error)));
  }

  get msize(): number {
    return this.#msize;
  }

  /** What Rversion said. */
  agree(msize: number): void {
    this.#msize = msize;
    this.#outbox.agree(this.#outbox.dialect, msize);
  }

  /**
   * Sends `make(tag)` and gives its reply. An Rerror rejects. An abort rejects with the signal's reason
   * at once and sends a Tflush.
   */
  async call<K extends MessageType>(make: (tag: number) => Fcall, expected: K, signal?: AbortSignal): Promise<Reply<K>> {
    signal?.throwIfAborted();
    if (this.#failure !== undefined) throw this.#failure;
    const reply = await this.#exchange(this.#send(make), signal);
    if (reply.type === 'Rerror') throw errorFromText(reply.ename);
    if (!isReply(reply, expected)) throw this.fail(ioError(`bad reply: ${reply.type} instead of ${expected}`));
    return reply;
  }

  /** Gives up a fid, after the flushes of its requests. Its number is free when the server has answered. */
  async clunk(fid: number): Promise<void> {
    // At once when there is none: what the caller sends next counts on the fid being given up.
    const flushed = this.#flushes.of(fid);
    if (flushed) await flushed;
    try {
      await this.call((tag) => ({ type: 'Tclunk', tag, fid }), 'Rclunk');
    } finally {
      this.fids.release(fid);
    }
  }

  /** Hangs up; what is pending rejects with `reason`. Gives the first reason there was. */
  fail(reason: NinepError): NinepError {
    this.#failure ??= reason;
    this.socket.destroy();
    return this.#failure;
  }

  #send(make: (tag: number) => Fcall): Fcall {
    const tag = this.#tags.take();
    try {
      const request = make(tag);
      this.#outbox.send(request);
      return request;
    } catch (error) {
      this.#tags.release(tag);
      throw error;
    }
  }

  #exchange(request: Fcall, signal: AbortSignal | undefined): Promise<Fcall> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#flush(request);
        reject(signal?.reason);
      };
      const finish = <T>(tell: (result: T) => void, result: T) => {
        signal?.removeEventListener('abort', stop);
        tell(result);
      };
      signal?.addEventListener('abort', stop, { once: true });
      this.#pending.set(request.tag, { settle: (reply) => finish(resolve, reply), fail: (reason) => finish(reject, reason) });
    });
  }

  #flush(request: Fcall): void {
    this.#pending.set(request.tag, abandoned);
    const flushed = this.call((tag) => ({ type: 'Tflush', tag, oldtag: request.tag }), 'Rflush');
    this.#flushes.add(
      request,
      flushed.then(() => this.#free(request.tag)),
    );
  }

  #free(tag: number): void {
    this.#pending.delete(tag);
    if (tag !== NOTAG) this.#tags.release(tag);
  }

  #take(chunk: Buffer): void {
    this.#framer.push(chunk);
    try {
      while (this.#failure === undefined && this.#framer.next(this.#reader)) this.#receive();
    } catch (error) {
      if (!(error instanceof NinepError)) throw error;
      this.fail(ioError(`bad reply: ${error.message}`, error));
    }
  }

  #receive(): void {
    const head = decodeHead(this.#reader);
    const reply = decodeBody(this.#outbox.dialect, head, this.#reader);
    const pending = this.#pending.get(reply.tag);
    if (pending === undefined) throw this.fail(ioError(`bad reply: unknown tag ${reply.tag}`));
    if (pending === abandoned) return;
    this.#free(reply.tag);
    pending.settle(reply);
  }

  #end(): NinepError {
    const failure = this.fail(ioError('connection lost'));
    for (const pending of this.#pending.values()) pending.fail(failure);
    return failure;
  }
}

function isReply<K extends MessageType>(reply: Fcall, type: K): reply is Reply<K> {
  return reply.type === type;
}
