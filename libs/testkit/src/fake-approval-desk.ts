import { ApprovalDesk, type ApprovalDecision, type ApprovalRequest } from '#model';

/** Decides as it was told to, at once; as long as it was told nothing, nobody is there. */
export class FakeApprovalDesk extends ApprovalDesk {
  readonly asked: ApprovalRequest[] = [];
  private readonly hearers = new Set<(isObserved: boolean) => void>();
  private decide: ((request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>) | undefined;

  get isObserved(): boolean {
    return this.decide !== undefined;
  }

  /** Somebody is there from now on; undefined: nobody. */
  observe(decide: ((request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>) | undefined): void {
    this.decide = decide;
    for (const hear of this.hearers) hear(this.isObserved);
  }

  onPresence(hear: (isObserved: boolean) => void): () => void {
    this.hearers.add(hear);
    return () => this.hearers.delete(hear);
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    this.asked.push(request);
    return this.decide ? this.decide(request, signal) : { decision: 'no observer' };
  }
}
