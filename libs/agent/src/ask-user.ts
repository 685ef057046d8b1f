import {
  type AgentState,
  type ApprovalDecision,
  type ApprovalDesk,
  IllegalInputError,
  InterruptedError,
  OllieError,
  PermissionDeniedError,
  TimedOutError,
} from '#model';
import type { ValueCell } from '#virtfs';

/** Who asks, and from where. */
export interface Asker {
  readonly id: string;
  readonly identity: { readonly sessionId: string };
  readonly cwd: string;
  readonly state: ValueCell<AgentState>;
}

/**
 * Puts a question before the observers and gives the answer. Throws PermissionDeniedError when nobody is there or somebody
 * refuses, TimedOutError when nobody answers, InterruptedError on abort and when the agent ends, IllegalInputError without a question.
 */
export async function askUser(desk: ApprovalDesk, asker: Asker, text: string, signal: AbortSignal): Promise<string> {
  if (text === '') throw new IllegalInputError('argument', 'ask needs text');
  const { id: agent, identity, cwd } = asker;
  const where = { session: identity.sessionId, agent, host: 'local', cwd };
  const over = new AbortController();
  void abortAtEnd(asker, over);
  const asked = desk.ask(
    { kind: 'question', ...where, tool: '', command: text, env: {}, more: {} },
    AbortSignal.any([signal, over.signal]),
  );
  const decision = await asked.finally(() => over.abort());
  if (decision.decision === 'approved') return decision.answer ?? '';
  throw refusalOf(decision);
}

async function abortAtEnd({ state }: Asker, over: AbortController): Promise<void> {
  await Promise.allSettled([state.until((now) => now === 'killed', over.signal)]);
  over.abort();
}

function refusalOf(decision: Exclude<ApprovalDecision, { decision: 'approved' }>): OllieError {
  switch (decision.decision) {
    case 'rejected':
      return new PermissionDeniedError(decision.text);
    case 'timed out':
      return new TimedOutError(`no answer after ${decision.afterMs / 1000}s`);
    case 'no observer':
      return new PermissionDeniedError('no observer');
    case 'withdrawn':
      return new InterruptedError();
  }
}
