import type { Shell } from './shell.js';
import type { ShellState } from './state.js';

/** After branches of which one may have run: a variable that they left different has the choice of all. */
export function mergeStates(shell: Shell, ends: readonly ShellState[], maybeNone: boolean): void {
  const { state, session } = shell;
  const before = new Map(state.variables);
  const all = maybeNone ? [state, ...ends] : ends;
  for (const name of new Set(ends.flatMap(({ variables }) => [...variables.keys()]))) {
    const values = [...new Set(all.map(({ variables }) => variables.get(name) ?? before.get(name)))].filter((value) => value !== undefined);
    const [only] = values;
    state.variables.set(name, values.length === 1 && only !== undefined ? only : session.unknowns.add({ empty: 'never', choices: values }));
  }
  for (const { functions } of ends) for (const [name, body] of functions) state.functions.set(name, body);
  const [first] = ends;
  if (first !== undefined && ends.every(({ directory }) => directory === first.directory) && !maybeNone) state.directory = first.directory;
}
