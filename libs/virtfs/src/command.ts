import type { Command, Role } from './types.js';

/** A command of a control file; `argument` is how help shows what follows the name (`<pid>`, `[profile]`). */
export function command<S>(about: string, run: Command<S>['run'], argument = ''): Command<S> {
  return { about, argument, run };
}

/** A command that other roles than `user` may give, too. */
export function openCommandTo<S>(roles: readonly Role[], of: Command<S>): Command<S> {
  return { ...of, roles };
}

/** The roles that may give at least one of the commands. */
export function rolesOf(commands: Readonly<Record<string, Pick<Command<never>, 'roles'>>>): readonly Role[] {
  return [...new Set(Object.values(commands).flatMap(({ roles = [] }) => roles))];
}

export type CommandTable<S> = Readonly<Record<string, Command<S>>>;

/** One line a command, `name argument<TAB>about`, as the command `help` prints them. */
export function commandHelp(commands: Readonly<Record<string, Pick<Command<never>, 'about' | 'argument'>>>): readonly string[] {
  const rows = Object.entries(commands).map(([name, { about, argument }]) => `${`${name} ${argument}`.trimEnd()}\t${about}`);
  return [...rows, 'help\tList these commands'];
}
