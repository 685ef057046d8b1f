import type { GuardContext } from '../verdict.js';
import type { JudgedCall } from './permission-rule.js';

export interface CalledCommand {
  readonly command: string;
  readonly context: GuardContext;
}

/** The command in a call, with what it is given to read; undefined where there is none. */
export function commandOf({ args: { cmd, stdin } }: JudgedCall, context: GuardContext): CalledCommand | undefined {
  if (typeof cmd !== 'string') return undefined;
  return { command: cmd, context: typeof stdin === 'string' ? { ...context, stdin } : context };
}
