import type { Statement } from '../syntax/statement.js';
import { both, either, UNKNOWN, type Status } from './proof.js';
import type { Shell } from './shell.js';
import type { ShellState } from './state.js';

type AndOr = Extract<Statement, { type: 'and-or' }>;

/** Follows `a && b || c`. Each part knows what the parts before it have proven where it runs, and what stands after the list what they have proven in any case. */
export function runAndOr(shell: Shell, { parts: [first, ...rest], operators }: AndOr, stdin: string | undefined): string {
  const { state } = shell;
  let output = first === undefined ? '' : shell.run([first], stdin);
  const maybe = shell.within({ conditions: shell.context.conditions + 1 });
  const always = state.proven;
  let known = operators.length === rest.length ? state.status : UNKNOWN;
  rest.forEach((part, index) => {
    const and = operators[index] === '&&';
    state.prove(and ? known.success : known.failure);
    output += maybe.run([part], stdin);
    known = operators.length === rest.length ? joined(known, ended(state), and) : UNKNOWN;
    state.proven = always;
  });
  state.prove(either(known.success, known.failure));
  state.status = known;
  return output;
}

/** A part that has run has also proven what it requires. */
function ended({ status, proven }: ShellState): Status {
  return { success: both(status.success, proven), failure: both(status.failure, proven) };
}

function joined(one: Status, other: Status, and: boolean): Status {
  return and
    ? { success: both(one.success, other.success), failure: either(one.failure, other.failure) }
    : { success: either(one.success, other.success), failure: both(one.failure, other.failure) };
}
