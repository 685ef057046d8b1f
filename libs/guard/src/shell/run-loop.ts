import type { Statement } from '../syntax/statement.js';
import { tokenize } from '../syntax/tokens.js';
import { expandWord } from '../words/expand-word.js';
import { isEndless, reportEndless } from './endless-loop.js';
import { selected } from './selected.js';
import type { Shell } from './shell.js';

const MAX_ITERATIONS = 24;

type Loop = Extract<Statement, { type: 'while' | 'for' | 'endless-for' }>;

/** What a turn of a loop has proven does not hold behind it: there may have been none. */
export function runLoop(shell: Shell, statement: Loop, stdin: string | undefined): string {
  const { proven } = shell.state;
  const output = turns(shell, statement, stdin);
  shell.state.proven = proven;
  return output;
}

function turns(shell: Shell, statement: Loop, stdin: string | undefined): string {
  if (statement.type === 'while') return runWhile(shell, statement, stdin);
  if (statement.type === 'for') return runFor(shell, statement, stdin);
  reportEndless(shell, statement.body);
  return shell.run(statement.body, stdin);
}

function runWhile(shell: Shell, statement: Extract<Statement, { type: 'while' }>, stdin: string | undefined): string {
  const endless = isEndless(statement);
  if (endless) reportEndless(shell, statement.branch.body);
  const inside = endless ? shell : shell.within({ conditions: shell.context.conditions + 1 });
  const before = inside.run(statement.branch.condition, stdin);
  const { status } = shell.state;
  shell.state.prove(statement.until ? status.failure : status.success);
  return before + inside.run(statement.branch.body, stdin);
}

function runFor(shell: Shell, statement: Extract<Statement, { type: 'for' }>, stdin: string | undefined): string {
  const values = selected(loopValues(shell, statement.words), MAX_ITERATIONS);
  const sure = values.length > 0 && values.every((value) => !/[\ue000-\uf8ff]/.test(value));
  const inside = sure ? shell : shell.within({ conditions: shell.context.conditions + 1 });
  let output = '';
  for (const value of values) {
    shell.state.variables.set(statement.variable, value);
    output += inside.run(statement.body, stdin);
  }
  return output;
}

/** The words of a loop are never empty: a variable that is not set makes none. */
function loopValues(shell: Shell, words: string | undefined): readonly string[] {
  const { environment, session } = shell;
  const values =
    words === undefined
      ? (environment.list('@') ?? [])
      : tokenize(words).flatMap((token) => (token.type === 'word' ? expandWord(token.raw, environment) : []));
  return values.map((value) => {
    const [unknown] = session.unknowns.in(value);
    return value.length === 1 && unknown !== undefined ? session.unknowns.add({ ...unknown, empty: 'never' }) : value;
  });
}
