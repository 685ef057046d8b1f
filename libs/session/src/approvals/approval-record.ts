import { shownJson } from '#approvals';
import type { ApprovalDecision } from '#model';
import type { PendingApproval } from './pending-approval.js';

const MAX_COMMAND = 500;

/** One line of JSON about how a request ended: who, when, what. Answers to questions are not in it, nor anything of the environment. */
export function approvalRecord({ id, request, times }: PendingApproval, decision: ApprovalDecision, endedMs: number): string {
  const { kind, session, agent, host, tool, command, cwd, more } = request;
  const { answer: _answer, ...how } = { answer: undefined, ...decision };
  const characters = Array.from(command);
  const what = {
    command: characters.slice(0, MAX_COMMAND).join(''),
    ...(characters.length > MAX_COMMAND && { characters: characters.length }),
  };
  const hash = typeof more.hash === 'string' ? { hash: more.hash } : {};
  return shownJson({ id, ts: endedMs, kind, ...how, waitedMs: endedMs - times.ts, session, agent, host, tool, cwd, ...hash, ...what });
}
