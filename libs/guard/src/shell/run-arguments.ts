import { builtins } from './builtins.js';
import { callFunction } from './functions.js';
import type { Shell } from './shell.js';

/** Runs a command given as words: a function, a builtin, a script that was written before, or a program. */
export function runArguments(shell: Shell, words: readonly string[], stdin: string | undefined): string {
  const [word = '', ...args] = words;
  // After `time` and coproc, the grammar takes the start of a group for a word.
  if (word === '{' || word === '!') return runArguments(shell, args, stdin);
  const body = shell.state.functions.get(word);
  if (body !== undefined) return callFunction(shell, { name: word, args, body }, stdin);
  const builtin = builtins[word];
  if (builtin !== undefined) return builtin({ name: word, args, stdin, shell });
  const written = word.includes('/') ? shell.read(word, undefined) : undefined;
  if (written !== undefined) return shell.programs.runFile({ name: word, args, stdin, shell }, written);
  return shell.programs.run({ name: word.slice(word.lastIndexOf('/') + 1), args, stdin, shell });
}
