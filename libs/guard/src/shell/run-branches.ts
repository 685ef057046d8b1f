import type { Branch, Statement } from '../syntax/statement.js';
import { mergeProofs, mergeStates } from './merge-states.js';
import { hasLeft, UNKNOWN } from './proof.js';
import type { Shell } from './shell.js';

type Branched = Extract<Statement, { type: 'if' | 'case' }>;

/** Follows every branch, each from the state in which its condition holds, and goes on with what any of them may have left. */
export function runBranches(shell: Shell, { type, branches }: Branched, stdin: string | undefined): string {
  const { state } = shell;
  const ends = [];
  let output = '';
  const sure = branches.length === 1 && isTrue(branches[0]?.condition ?? []);
  for (const { condition, body } of branches) {
    state.status = UNKNOWN;
    output += shell.run(condition, stdin);
    const branch = shell.subshell({ conditions: shell.context.conditions + (sure ? 0 : 1) });
    branch.state.prove(state.status.success);
    output += branch.run(body, stdin);
    if (!hasLeft(branch.state.status)) ends.push(branch.state);
    state.prove(state.status.failure);
  }
  const proven = mergeProofs(sure || (type === 'if' && isExhaustive(branches)) ? ends : [state, ...ends]) ?? state.proven;
  const chosen = mergeStates(shell, ends, !sure);
  state.proven = proven;
  state.prove(chosen);
  return output;
}

function isTrue([first]: readonly Statement[]): boolean {
  return first?.type === 'simple' && /^(true|:)$/.test(first.text);
}

/** The last one is an `else`. */
function isExhaustive(branches: readonly Branch[]): boolean {
  return branches.length > 1 && branches.at(-1)?.condition.length === 0;
}
