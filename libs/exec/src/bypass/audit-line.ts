import type { BypassRequest } from './bypass-request.js';
import type { Decision } from './decision.js';
import { shownCommand } from './request-text.js';

const MAX_COMMAND = 500;

/** Who wanted what, and how and after how long it ended. The hash stands for the environment and for what is too long. */
export function auditLine({ id, order, hash }: BypassRequest, decision: Decision, afterMs: number): string {
  const { kind, question, agent, session, tool, cwd } = order;
  const command = shownCommand(order);
  const characters = Array.from(command);
  const isCut = characters.length > MAX_COMMAND;
  const what = isCut ? { command: characters.slice(0, MAX_COMMAND).join(''), characters: characters.length } : { command };
  const rule = question === undefined ? {} : { rule: question.rule };
  return `${kind} ${JSON.stringify({ id, ...decision, waitedMs: afterMs, ...rule, agent, session, tool, cwd, hash, ...what })}`;
}
