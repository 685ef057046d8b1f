import { short, type Scope } from '#approvals';
import type { Client } from '#virtfs';
import type { BypassOrder } from './bypass-order.js';

/** How a request ended. `by` names the observer, or toolsrv itself. */
export type Decision =
  | Approval
  | { readonly decision: 'rejected'; readonly by: string; readonly text: string }
  | { readonly decision: 'timed out'; readonly afterMs: number }
  | { readonly decision: 'no observer' }
  | { readonly decision: 'withdrawn' };

/** `request`: the earlier one that was approved for the session. */
export interface Approval {
  readonly decision: 'approved';
  readonly by: string;
  readonly scope: Scope;
  readonly request?: string;
}

/** What the result of the call says (contract 3.2), with the rule where one asked; undefined = it may run. */
export function refusalOf(decision: Decision, { kind, question }: BypassOrder): string | undefined {
  if (decision.decision === 'approved') return undefined;
  if (decision.decision === 'withdrawn') return 'cancelled';
  const text = `${kind} ${endOf(decision)}`;
  return kind === 'bypass' || question === undefined ? text : `${text}\n${question.rule}: ${question.why}`;
}

function endOf(decision: Exclude<Decision, Approval | { decision: 'withdrawn' }>): string {
  switch (decision.decision) {
    case 'rejected':
      return `rejected: ${decision.text}`;
    case 'timed out':
      return `timed out after ${decision.afterMs / 1000}s`;
    case 'no observer':
      return 'unavailable: no observer';
  }
}

export function approvedBy(client: Client, scope: Scope): Approval {
  return { decision: 'approved', by: nameOf(client), scope };
}

export function rejectedBy(client: Client, text: string): Decision {
  return { decision: 'rejected', by: nameOf(client), text };
}

/** Rejected by toolsrv itself. */
export function refused(text: string): Decision {
  return { decision: 'rejected', by: 'toolsrv', text };
}

/** An observer may give itself a name at attach. */
function nameOf({ aname, uname, tag }: Client): string {
  return `${short(aname === '' ? uname : aname)} (${short(tag)})`;
}
