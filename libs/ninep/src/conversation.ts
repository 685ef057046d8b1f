import { isPromise } from './awaitable.js';
import { decodeBody, decodeHead } from './codec.js';
import { dialectFor, ninep2000 } from './dialect.js';
import { dispatch, type SessionOwner } from './dispatch.js';
import { illegalArgument } from './errors.js';
import { toClientError } from './faults.js';
import { NOTAG, type Fcall, type FcallOf } from './fcall.js';
import { LaterRead } from './later-read.js';
import { LaterReply } from './later-reply.js';
import { MIN_MESSAGE_BYTES } from './limits.js';
import type { Outbox } from './outbox.js';
import type { Reader } from './reader.js';
import { Request } from './requests.js';
import { Session, type SessionHost } from './session.js';

/** Enough for a Tversion. */
const FIRST_FRAME_BYTES = 8192;

/** Requests in, replies out: what one connection says, without its socket. */
export class Conversation implements SessionOwner {
  #session: Session | undefined;
  #ended: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly host: SessionHost,
    private readonly outbox: Outbox,
  ) {}

  get session(): Session {
    if (this.#session === undefined) throw illegalArgument('no version agreed on');
    return this.#session;
  }

  /** The longest frame that the client may send now. */
  get frameLimit(): number {
    return this.#session?.msize ?? FIRST_FRAME_BYTES;
  }

  /**
   * Handles one frame; what goes wrong is the client's to read. Gives the most bytes that an answer
   * which is still to come may have, or 0.
   */
  receive(from: Reader): number {
    const bytes = from.remaining;
    const head = decodeHead(from);
    try {
      const message = decodeBody(this.#session?.dialect ?? ninep2000, head, from);
      return this.#handle(message, new Request(head.tag, bytes));
    } catch (error) {
      this.#send(this.failure(head.tag, error));
      return 0;
    }
  }

  /** Ends the session and waits for those before it. Never rejects. */
  async end(): Promise<void> {
    this.#endSession();
    await this.#ended;
  }

  /** Ends the session: what it has under way is aborted and never answered. */
  version({ tag, msize: asked, version }: FcallOf<'Tversion'>): Fcall {
    this.#endSession();
    this.outbox.agree(ninep2000, Infinity);
    if (asked < MIN_MESSAGE_BYTES) throw illegalArgument(`message size ${asked}`);
    const msize = Math.min(asked, this.host.limits.maxMessageBytes);
    const dialect = dialectFor(version);
    if (dialect !== undefined) {
      this.#session = new Session(this.host, dialect, msize);
      this.outbox.agree(dialect, msize);
    }
    return { type: 'Rversion', tag, msize, version: dialect?.version ?? 'unknown' };
  }

  #endSession(): void {
    if (this.#session === undefined) return;
    // Ends with nothing: the outcome of each would hold that of the one before it.
    this.#ended = Promise.all([this.#ended, this.#session.end()]).then(() => undefined);
    this.#session = undefined;
  }

  #handle(message: Fcall, request: Request): number {
    if (message.type !== 'Tversion') this.#admit(message);
    const reply = dispatch(this, message, request);
    if (reply instanceof LaterRead) reply.whenSettled(this.#later(request));
    else if (isPromise(reply)) {
      const later = this.#later(request);
      void reply.then(
        (answer) => later.there(answer),
        (error: unknown) => later.failed(error),
      );
    } else {
      this.#send(reply);
      return 0;
    }
    return message.type === 'Tread' ? Math.min(message.count, this.session.msize) : 0;
  }

  #admit({ type, tag }: Fcall): void {
    if (tag === NOTAG) throw illegalArgument('NOTAG is for Tversion');
    this.session.requests.admit(tag, type === 'Tflush');
  }

  #later(request: Request): LaterReply {
    this.session.requests.add(request);
    return new LaterReply(this, this.session, request);
  }

  /** `answer`: undefined when there is none to tell. */
  finish(session: Session, request: Request, answer: Fcall | undefined): void {
    if (answer !== undefined && !session.isOver) this.#send(answer);
    session.requests.finish(request);
  }

  failure(tag: number, error: unknown): Fcall {
    return this.outbox.dialect.failure(tag, toClientError(error, this.host.onBug));
  }

  #send(reply: Fcall): void {
    try {
      this.outbox.send(reply);
    } catch (error) {
      this.outbox.send(this.failure(reply.tag, error));
    }
  }
}
