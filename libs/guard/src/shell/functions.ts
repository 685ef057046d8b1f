import type { Statement } from '../syntax/statement.js';
import { UNKNOWN } from './proof.js';
import type { Shell } from './shell.js';

interface Call {
  readonly name: string;
  readonly args: readonly string[];
  readonly body: Statement;
}

/** Calls a function. One that is running already is not entered again; if each call of it forks another, that is a bomb. */
export function callFunction(shell: Shell, { name, args, body }: Call, stdin: string | undefined): string {
  const { active, forks, conditions } = shell.context;
  const running = active.find((activation) => activation.name === name);
  if (running !== undefined) {
    if (forks > running.forks && conditions === running.conditions && !running.guarded)
      shell.report({ effect: 'fork', attributes: { how: 'bomb' } });
    return shell.unknown({ empty: 'output' });
  }
  const { positional, proven } = shell.state;
  const activation = { name, forks, conditions, guarded: false, returned: false };
  const inside = shell.within({ active: [...active, activation] });
  inside.state.positional = args;
  const output = inside.run([body], stdin);
  inside.state.positional = positional;
  if (activation.returned) {
    inside.state.status = UNKNOWN;
    inside.state.proven = proven;
  }
  return output;
}
