import { either, nonEmpty, type Proof, type Proven } from './proof.js';
import type { Shell } from './shell.js';
import type { ShellState } from './state.js';

/** After branches of which one may have run: a variable that they left different has the choice of all. Gives which of these are not empty. */
export function mergeStates(shell: Shell, ends: readonly ShellState[], maybeNone: boolean): Proven {
  const { state, session } = shell;
  const before = new Map(state.variables);
  const all = maybeNone ? [state, ...ends] : ends;
  const chosen = new Map<string, string>();
  for (const name of new Set(ends.flatMap(({ variables }) => [...variables.keys()]))) {
    const found = all.map((end): Left => ({ value: end.variables.get(name) ?? before.get(name), proven: end.proven }));
    const merged = choiceOf(found, shell);
    state.variables.set(name, merged);
    if (found.some((left) => left.value !== merged) && !found.some((left) => mayBeEmpty(left, shell)))
      for (const [mark, settled] of nonEmpty(merged, session.unknowns)) chosen.set(mark, settled);
  }
  for (const { functions } of ends) for (const [name, body] of functions) state.functions.set(name, body);
  const [first] = ends;
  if (first !== undefined && ends.every(({ directory }) => directory === first.directory) && !maybeNone) state.directory = first.directory;
  return chosen;
}

interface Left {
  readonly value: string | undefined;
  readonly proven: Proven;
}

function choiceOf(found: readonly Left[], { session }: Shell): string {
  const values = [...new Set(found.map(({ value }) => value))].filter((value) => value !== undefined);
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : session.unknowns.add({ empty: 'never', choices: values });
}

function mayBeEmpty({ value, proven }: Left, { session }: Shell): boolean {
  if (value === undefined || value === '') return true;
  return !proven.has(value) && nonEmpty(value, session.unknowns).size > 0;
}

/** What is proven after branches of which one has run. Those that left the script do not count. */
export function mergeProofs(ends: readonly ShellState[]): Proof {
  return ends.map(({ proven }): Proof => proven).reduce(either, undefined);
}
