import {
  AbortedError,
  AuthError,
  BackendError,
  TransientError,
  RateLimitError,
  type Backend,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import type { Admission, Slot } from './admission.js';
import { AdmittedAnswer, type BegunAnswer } from './admitted-answer.js';
import { isAccountsFault } from './cooldown.js';
import type { Member } from './member.js';

/** Hears why a request leaves an account for another one. */
export type OnSwitch = (account: string, why: string) => void;

type Begun = Pick<BegunAnswer, 'first' | 'rest'>;

/**
 * Answers from whichever account gives them. As long as nothing of an answer was handed on, a failure that is the account's
 * sends the request to another one; after that every failure is the caller's.
 */
export class PooledAnswers {
  constructor(
    private readonly backend: string,
    private readonly members: readonly Member[],
    private readonly admission: Admission,
    private readonly onSwitch: OnSwitch,
  ) {}

  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent> {
    return new AdmittedAnswer(() => this.open(request, signal));
  }

  private async open(request: ModelRequest, signal: AbortSignal): Promise<BegunAnswer> {
    const tried = new Set<number>();
    for (;;) {
      const slot = await this.admitted({ conversation: request.conversation, tried }, signal);
      try {
        const begun = await this.begun(this.member(slot.account), request, signal);
        slot.answered();
        return { ...begun, failed: (error) => report(slot, error), ended: () => slot.end() };
      } catch (error) {
        report(slot, error);
        slot.end();
        tried.add(slot.account);
        this.demandAnother(error, slot, tried);
      }
    }
  }

  private async begun(member: Member, request: ModelRequest, signal: AbortSignal): Promise<Begun> {
    const ask = (backend: Backend): Promise<Begun> => this.first(backend.stream(request, signal)[Symbol.asyncIterator]());
    return await this.waited(member.use(ask, signal), signal);
  }

  /** That an answer has a name shows nothing of it; where there is no other account it need not be held back. */
  private async first(rest: AsyncIterator<StreamEvent, unknown>): Promise<Begun> {
    const first: StreamEvent[] = [];
    for (;;) {
      const next = await rest.next();
      if (next.done) return { first, rest };
      first.push(next.value);
      if (next.value.type !== 'start' || this.members.length === 1) return { first, rest };
    }
  }

  private async admitted(applicant: Parameters<Admission['admitted']>[0], signal: AbortSignal): Promise<Slot> {
    return await this.waited(this.admission.admitted(applicant, signal), signal);
  }

  /** Throws the failure when no other account is to be asked. */
  private demandAnother(error: unknown, { account }: Slot, tried: ReadonlySet<number>): void {
    if (!(error instanceof BackendError) || !isAccountsFault(error)) throw error;
    if (tried.size === this.members.length) throw this.admission.verdictOn(error);
    this.onSwitch(this.member(account).name, error.message);
  }

  /** Our own waits end as those for a server do. */
  private async waited<T>(wait: Promise<T>, signal: AbortSignal): Promise<T> {
    try {
      return await wait;
    } catch (error) {
      if (!signal.aborted || error instanceof BackendError) throw error;
      throw new AbortedError(`${this.backend}: aborted`, { backend: this.backend, kind: 'aborted' });
    }
  }

  private member(index: number): Member {
    const member = this.members[index];
    if (!member) throw new RangeError(`no account ${index}`);
    return member;
  }
}

/** A request that is refused for what it is has been let in. */
function report(slot: Slot, error: unknown): void {
  if (error instanceof AbortedError || !(error instanceof BackendError)) return;
  if (error instanceof RateLimitError || error instanceof AuthError || error instanceof TransientError) slot.failed(error);
  else slot.answered();
}
