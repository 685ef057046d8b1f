import type { Client } from '#virtfs';
import { short } from './parse-answer.js';

/** How a request ended. `by` names the observer, or toolsrv itself. */
export type Decision =
  | { readonly decision: 'approved'; readonly by: string }
  | { readonly decision: 'rejected'; readonly by: string; readonly text: string }
  | { readonly decision: 'timed out'; readonly afterMs: number }
  | { readonly decision: 'no observer' }
  | { readonly decision: 'withdrawn' };

/** What the result of the call says (contract 3.2); undefined = it may run. */
export function refusalOf(decision: Decision): string | undefined {
  switch (decision.decision) {
    case 'approved':
      return undefined;
    case 'rejected':
      return `bypass rejected: ${decision.text}`;
    case 'timed out':
      return `bypass timed out after ${decision.afterMs / 1000}s`;
    case 'no observer':
      return 'bypass unavailable: no observer';
    case 'withdrawn':
      return 'cancelled';
  }
}

export function approvedBy(client: Client): Decision {
  return { decision: 'approved', by: nameOf(client) };
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
