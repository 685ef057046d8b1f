import type { Command, Grant } from './types.js';

/** A command of a control file; `argument` is how help shows what follows the name (`<pid>`, `[profile]`). */
export function command<S>(about: string, run: Command<S>['run'], argument = ''): Command<S> {
  return { about, argument, run };
}

/** A command that others than `user` may give, too. */
export function openCommandTo<S>(givers: readonly Grant<S>[], of: Command<S>): Command<S> {
  return { ...of, givers };
}

/** Who beside `user` may give at least one of the commands. */
export function giversOf<S>(commands: Readonly<Record<string, Pick<Command<S>, 'givers'>>>): readonly Grant<S>[] {
  return [...new Set(Object.values(commands).flatMap(({ givers = [] }) => givers))];
}

export type CommandTable<S> = Readonly<Record<string, Command<S>>>;

/** One line a command, `name argument<TAB>about`, as the command `help` prints them. */
export function commandHelp(commands: Readonly<Record<string, Pick<Command<never>, 'about' | 'argument'>>>): readonly string[] {
  const rows = Object.entries(commands).map(([name, { about, argument }]) => `${`${name} ${argument}`.trimEnd()}\t${about}`);
  return [...rows, 'help\tList these commands'];
}
