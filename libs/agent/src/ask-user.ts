import {
  type ApprovalDecision,
  type ApprovalDesk,
  IllegalInputError,
  InterruptedError,
  OllieError,
  PermissionDeniedError,
  TimedOutError,
} from '#model';

/** Who asks, and from where. */
export interface Asker {
  readonly id: string;
  readonly sessionId: string;
  readonly cwd: string;
}

/**
 * Puts a question before the observers and gives the answer. Throws PermissionDeniedError when nobody is there or somebody
 * refuses, TimedOutError when nobody answers, InterruptedError on abort, IllegalInputError without a question.
 */
export async function askUser(desk: ApprovalDesk, asker: Asker, text: string, signal: AbortSignal): Promise<string> {
  if (text === '') throw new IllegalInputError('argument', 'ask needs text');
  const { id: agent, sessionId: session, cwd } = asker;
  const question = { kind: 'question', session, agent, host: 'local', tool: '', command: text, cwd, env: {}, more: {} } as const;
  const decision = await desk.ask(question, signal);
  if (decision.decision === 'approved') return decision.answer ?? '';
  throw refusalOf(decision);
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
