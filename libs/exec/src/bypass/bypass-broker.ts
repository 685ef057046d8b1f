import { Observers, OpenRequests, parseAnswer, short, type Scope } from '#approvals';
import type { Log } from '#config';
import { IllegalInputError, NotFoundError, type Clock } from '#model';
import type { Client, WaitSource } from '#virtfs';
import { CallRefusedError } from '../errors.js';
import { auditLine } from './audit-line.js';
import type { BypassOrder } from './bypass-order.js';
import { BypassRequest } from './bypass-request.js';
import { approvedBy, refusalOf, refused, rejectedBy, type Decision } from './decision.js';
import { SessionApprovals } from './session-approvals.js';

/** A request that is longer than this as JSON cannot be shown whole, and so cannot be approved. */
const MAX_SHOWN_BYTES = 64 * 1024;
const MAX_OPEN = 256;

/**
 * Puts calls that want to leave the sandbox, or that a rule asks about, before observers. The first answer counts; without one a request ends
 * when its time is over, when its call is cancelled, or when no observer is there who could answer. Each end leaves one
 * line in the log, without anything of the environment.
 */
export class BypassBroker {
  /** The requests one by one, as lines of JSON: each client is given every open request once, the oldest first. */
  readonly pending: WaitSource = { next: (client, signal) => this.next(client, signal) };
  private readonly requests = new OpenRequests<BypassRequest>();
  private readonly approvals = new SessionApprovals();
  private readonly observers: Observers;
  private lastNumber = 0;

  constructor(
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly timeoutMs: number,
  ) {
    this.observers = new Observers(clock, () => this.refuseUnobserved());
  }

  /** Resolves once an observer has approved exactly this, now or before for the session. Throws CallRefusedError with the contract's text otherwise. */
  async ask(order: BypassOrder, signal: AbortSignal): Promise<void> {
    const ts = this.clock.now();
    this.lastNumber += 1;
    const request = new BypassRequest(this.lastNumber, order, { ts, expires: ts + this.timeoutMs });
    const refusal = refusalOf(this.decisionAtOnce(request, signal) ?? (await this.decisionOn(request, signal)), order);
    if (refusal !== undefined) throw new CallRefusedError(refusal);
  }

  /** Takes an observer's answer. Throws NotFoundError when the request is not open (any more), and IllegalInputError for what is no answer. */
  resolve(text: string, client: Client): void {
    this.observers.noteLife();
    const { id, scope, hash, refusal, answer } = parseAnswer(text);
    if (answer !== undefined) throw new IllegalInputError('argument', 'nothing was asked that words can answer');
    const request = this.openRequest(id);
    if (hash !== undefined && hash !== request.hash) throw new IllegalInputError('argument', `the hash is not that of ${request.id}`);
    this.end(request, refusal === undefined ? approvalOf(request, client, scope) : rejectedBy(client, refusal));
  }

  private async next(client: Client, signal: AbortSignal): Promise<string> {
    const request = await this.observers.whileReading(() => this.requests.next(client, signal));
    return request.text;
  }

  /** A timer may be late. */
  private openRequest(id: string): BypassRequest {
    const request = this.requests.find(id);
    if (request === undefined) throw new NotFoundError('request', short(id));
    if (this.clock.now() < request.times.expires) return request;
    this.end(request, this.timedOut());
    throw new NotFoundError('request', request.id);
  }

  /** What is decided without asking anybody; undefined = somebody has to be asked. */
  private decisionAtOnce(request: BypassRequest, signal: AbortSignal): Decision | undefined {
    const decision = signal.aborted ? WITHDRAWN : (this.approvals.for(request) ?? this.reasonAgainst(request));
    if (decision !== undefined) this.record(request, decision, 0);
    return decision;
  }

  private reasonAgainst({ text }: BypassRequest): Decision | undefined {
    if (!this.isObserved) return { decision: 'no observer' };
    const size = Buffer.byteLength(text);
    if (size > MAX_SHOWN_BYTES) return refused(`it is too long to be shown whole (${size} of ${MAX_SHOWN_BYTES} bytes)`);
    return this.requests.size >= MAX_OPEN ? refused('too many requests are waiting') : undefined;
  }

  private async decisionOn(request: BypassRequest, signal: AbortSignal): Promise<Decision> {
    const withdraw = (): void => this.end(request, WITHDRAWN);
    signal.addEventListener('abort', withdraw, { once: true });
    this.requests.add(request);
    void this.limit(request);
    const decision = await request.decided;
    signal.removeEventListener('abort', withdraw);
    return decision;
  }

  private async limit(request: BypassRequest): Promise<void> {
    const { signal } = request.life;
    try {
      await this.clock.sleep(this.timeoutMs, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.end(request, this.timedOut());
  }

  /** Somebody reads, or has just done so, or has a request in hand. */
  private get isObserved(): boolean {
    return this.observers.areHere || this.requests.isHeld;
  }

  private refuseUnobserved(): void {
    if (this.isObserved) return;
    for (const request of this.requests.list()) this.end(request, { decision: 'no observer' });
  }

  /** Does nothing to a request that has ended. */
  private end(request: BypassRequest, decision: Decision): void {
    if (!this.requests.remove(request)) return;
    this.record(request, decision, this.clock.now() - request.times.ts);
    if (decision.decision === 'approved' && decision.scope === 'session') this.approvals.add(request, decision);
    request.decide(decision);
    // Whoever had it will look for the next one now.
    if (request.isGiven) this.observers.noteLife();
  }

  private record(request: BypassRequest, decision: Decision, afterMs: number): void {
    const line = auditLine(request, decision, afterMs);
    if (decision.decision === 'approved') this.log.warn(line);
    else this.log.info(line);
  }

  private timedOut(): Decision {
    return { decision: 'timed out', afterMs: this.timeoutMs };
  }
}

const WITHDRAWN: Decision = { decision: 'withdrawn' };

function approvalOf(request: BypassRequest, client: Client, scope: Scope): Decision {
  return request.isInPlace ? approvedBy(client, scope) : refused('the working directory is another one now');
}
