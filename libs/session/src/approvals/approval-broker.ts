import { Observers, OpenRequests, parseAnswer, short, type Answer } from '#approvals';
import type { Log } from '#config';
import {
  ApprovalDesk,
  type ApprovalDecision,
  type ApprovalRequest,
  type Clock,
  type EventSink,
  IllegalInputError,
  NotFoundError,
} from '#model';
import { type Client, LineLog, type WaitSource } from '#virtfs';
import { approvalRecord } from './approval-record.js';
import { PendingApproval } from './pending-approval.js';

const TIMEOUT_MS = 300_000;
/** What is longer as JSON cannot be shown whole, and so cannot be approved. Calls come with a limit of toolsrv's own, which is lower. */
const MAX_SHOWN_BYTES = 80 * 1024;
const MAX_OPEN = 256;
const LOG_BYTES = 1024 * 1024;
const WITHDRAWN: ApprovalDecision = { decision: 'withdrawn' };

/** What the broker needs of its server. */
export interface ApprovalPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly events: EventSink;
}

/**
 * Puts requests of all sessions before observers (contract 2.1, `approvals/`). The first answer counts; without one a request
 * ends when its time is over, when it is withdrawn, or when no observer is there who could answer (decision 35).
 */
export class ApprovalBroker extends ApprovalDesk {
  /** The requests one by one, as lines of JSON: each client is given every open request once, the oldest first. */
  readonly pending: WaitSource = { next: (client, signal) => this.next(client, signal) };
  /** One line for each end. */
  readonly log = new LineLog(LOG_BYTES, (lost) => `${JSON.stringify({ lost })}\n`);
  private readonly requests = new OpenRequests<PendingApproval>();
  private readonly observers: Observers;
  private readonly hearers = new Set<(isObserved: boolean) => void>();
  private wasObserved = false;
  private lastNumber = 0;

  constructor(private readonly ports: ApprovalPorts) {
    super();
    this.observers = new Observers(ports.clock, () => this.refuseUnobserved());
  }

  /** Somebody reads, or has just done so, or has a request in hand. */
  get isObserved(): boolean {
    return this.observers.areHere || this.requests.isHeld;
  }

  onPresence(hear: (isObserved: boolean) => void): () => void {
    this.hearers.add(hear);
    return () => this.hearers.delete(hear);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    const ts = this.ports.clock.now();
    this.lastNumber += 1;
    const pending = new PendingApproval(this.lastNumber, request, { ts, expires: request.expires ?? ts + TIMEOUT_MS });
    const atOnce = signal.aborted ? WITHDRAWN : this.reasonAgainst(pending);
    if (atOnce === undefined) return this.decisionOn(pending, signal);
    this.record(pending, atOnce);
    return atOnce;
  }

  /** Takes an observer's answer. Throws NotFoundError when the request is not open (any more), and IllegalInputError for what is no answer. */
  resolve(text: string, client: Client): void {
    this.observers.noteLife();
    this.notePresence();
    const answer = parseAnswer(text);
    const pending = this.openRequest(answer.id);
    this.end(pending, decisionOf(answer, pending.request, client));
  }

  /** Withdraws what is open; for the end of the server. */
  close(): void {
    for (const pending of this.requests.list()) this.end(pending, WITHDRAWN);
    this.observers.close();
  }

  private async next(client: Client, signal: AbortSignal): Promise<string> {
    const reading = this.observers.whileReading(() => this.requests.next(client, signal));
    this.notePresence();
    return (await reading).text;
  }

  /** A timer may be late. */
  private openRequest(id: string): PendingApproval {
    const pending = this.requests.find(id);
    if (pending === undefined) throw new NotFoundError('request', short(id));
    if (this.ports.clock.now() < pending.times.expires) return pending;
    this.end(pending, timedOut(pending));
    throw new NotFoundError('request', pending.id);
  }

  private reasonAgainst({ text }: PendingApproval): ApprovalDecision | undefined {
    if (!this.isObserved) return { decision: 'no observer' };
    const size = Buffer.byteLength(text);
    if (size > MAX_SHOWN_BYTES) return refused(`it is too long to be shown whole (${size} of ${MAX_SHOWN_BYTES} bytes)`);
    return this.requests.size >= MAX_OPEN ? refused('too many requests are waiting') : undefined;
  }

  private async decisionOn(pending: PendingApproval, signal: AbortSignal): Promise<ApprovalDecision> {
    const withdraw = (): void => this.end(pending, WITHDRAWN);
    signal.addEventListener('abort', withdraw, { once: true });
    this.requests.add(pending);
    const { id, request } = pending;
    this.ports.events.publish('bypass.pending', subjectOf(request), { id, kind: request.kind });
    void this.limit(pending);
    const decision = await pending.decided;
    signal.removeEventListener('abort', withdraw);
    return decision;
  }

  private async limit(pending: PendingApproval): Promise<void> {
    const { signal } = pending.life;
    try {
      await this.ports.clock.sleep(pending.times.expires - pending.times.ts, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.end(pending, timedOut(pending));
  }

  private refuseUnobserved(): void {
    if (this.isObserved) return;
    for (const pending of this.requests.list()) this.end(pending, { decision: 'no observer' });
    this.notePresence();
  }

  /** Does nothing to a request that has ended. */
  private end(pending: PendingApproval, decision: ApprovalDecision): void {
    if (!this.requests.remove(pending)) return;
    this.record(pending, decision);
    pending.decide(decision);
    // Whoever had it will look for the next one now.
    if (pending.isGiven) this.observers.noteLife();
  }

  private record(pending: PendingApproval, decision: ApprovalDecision): void {
    const line = approvalRecord(pending, decision, this.ports.clock.now());
    const { id, request } = pending;
    this.log.append(`${line}\n`);
    if (decision.decision === 'approved') this.ports.log.warn(`approval ${line}`);
    else this.ports.log.info(`approval ${line}`);
    this.ports.events.publish('bypass.resolved', subjectOf(request), { id, kind: request.kind, decision: decision.decision });
  }

  private notePresence(): void {
    const { isObserved } = this;
    if (isObserved === this.wasObserved) return;
    this.wasObserved = isObserved;
    for (const hear of this.hearers) hear(isObserved);
  }
}

function decisionOf({ refusal, scope, hash, answer }: Answer, { kind, more }: ApprovalRequest, client: Client): ApprovalDecision {
  if (hash !== undefined && hash !== more.hash) throw new IllegalInputError('argument', 'the hash is that of another request');
  const by = `${short(client.uname)} (${short(client.tag)})`;
  if (refusal !== undefined) return { decision: 'rejected', by, text: refusal };
  if (kind === 'question' && answer === undefined) throw new IllegalInputError('argument', 'a question takes an answer');
  if (kind !== 'question' && answer !== undefined) throw new IllegalInputError('argument', 'nothing was asked that words can answer');
  return { decision: 'approved', by, scope, ...(answer !== undefined && { answer }) };
}

function subjectOf({ session, agent }: ApprovalRequest): { readonly session?: string; readonly agent?: string } {
  return { ...(session !== '' && { session }), ...(agent !== '' && { agent }) };
}

function refused(text: string): ApprovalDecision {
  return { decision: 'rejected', by: 'olliesrv', text };
}

function timedOut({ times }: PendingApproval): ApprovalDecision {
  return { decision: 'timed out', afterMs: times.expires - times.ts };
}
