import type { JsonObject } from './json.js';

/** What somebody is asked for: to let a call leave the sandbox, to let it run at all, to trust a file, to answer. */
export type ApprovalKind = 'bypass' | 'permission' | 'trust' | 'question';

/** What is put before observers. All of it is shown, and is safe to be shown: values of secrets are masked before. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** Ids; empty for none. */
  readonly session: string;
  readonly agent: string;
  readonly host: string;
  readonly tool: string;
  /** What would run, or the question. */
  readonly command: string;
  readonly cwd: string;
  readonly env: JsonObject;
  /** When it ends unanswered, milliseconds since the epoch; undefined = after 300 s. */
  readonly expires?: number;
  /** What else there is to show: rule, reason, exact arguments. A `hash` in it has to match that of an answer which carries one. */
  readonly more: JsonObject;
}

/** How it ended. `by` names the observer. */
export type ApprovalDecision =
  | { readonly decision: 'approved'; readonly by: string; readonly scope: 'once' | 'session'; readonly answer?: string }
  | { readonly decision: 'rejected'; readonly by: string; readonly text: string }
  | { readonly decision: 'timed out'; readonly afterMs: number }
  | { readonly decision: 'no observer' }
  | { readonly decision: 'withdrawn' };

/** Port to those who approve. */
export abstract class ApprovalDesk {
  /** Somebody is there. */
  abstract get isObserved(): boolean;

  /** `hear` is called at each change of `isObserved`; what this gives ends that. */
  abstract onPresence(hear: (isObserved: boolean) => void): () => void;

  /** Resolves with the first decision; at once when nobody is there. An abort withdraws the request. Never rejects. */
  abstract ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
