import type { Settled } from './awaitable.js';
import type { Fcall } from './fcall.js';
import type { Request } from './requests.js';
import type { Session } from './session.js';

/** Whoever sends replies. */
interface Sender {
  finish(session: Session, request: Request, answer: Fcall | undefined): void;
  failure(tag: number, error: unknown): Fcall;
}

/** The reply to a request that could not be answered at once. An error is not told to who has flushed the request. */
export class LaterReply implements Settled<Fcall> {
  constructor(
    private readonly sender: Sender,
    private readonly session: Session,
    private readonly request: Request,
  ) {}

  there(answer: Fcall): void {
    this.sender.finish(this.session, this.request, answer);
  }

  failed(error: unknown): void {
    const failure = this.sender.failure(this.request.tag, error);
    this.sender.finish(this.session, this.request, this.request.flushed ? undefined : failure);
  }
}
