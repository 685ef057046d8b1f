import { shownJson, type OpenRequest } from '#approvals';
import { visible } from '#config';
import type { ApprovalDecision, ApprovalRequest } from '#model';

/** Milliseconds since the epoch. */
export interface ApprovalTimes {
  readonly ts: number;
  readonly expires: number;
}

/** One request that waits for an answer. What is shown of it never changes. */
export class PendingApproval implements OpenRequest {
  readonly id: string;
  /** What observers read: one line of JSON (contract 2.1). */
  readonly text: string;
  /** Resolves with the first decision. Never rejects. */
  readonly decided: Promise<ApprovalDecision>;
  /** Aborts with the first decision. */
  readonly life = new AbortController();
  isGiven = false;
  private settle: (decision: ApprovalDecision) => void = () => undefined;

  constructor(
    readonly number: number,
    readonly request: ApprovalRequest,
    readonly times: ApprovalTimes,
  ) {
    this.id = `a-${number}`;
    this.text = textOf(this.id, request, times);
    this.decided = new Promise((resolve) => (this.settle = resolve));
  }

  /** Only the first decision counts. */
  decide(decision: ApprovalDecision): void {
    this.settle(decision);
    this.life.abort();
  }
}

/** The extras stand last and take no name from the others. */
function textOf(id: string, request: ApprovalRequest, times: ApprovalTimes): string {
  const { kind, session, agent, host, tool, command, cwd, env, more } = request;
  const shown = { tool: visible(tool), command: visible(command), cwd: visible(cwd), env };
  const fields = { id, kind, secret: false, session, agent, host, ...shown, ...times };
  return shownJson({ ...fields, ...more, ...fields });
}
