import type { Statement } from '../syntax/statement.js';
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
  const { positional } = shell.state;
  const inside = shell.within({ active: [...active, { name, forks, conditions, guarded: false }] });
  inside.state.positional = args;
  const output = inside.run([body], stdin);
  inside.state.positional = positional;
  return output;
}
