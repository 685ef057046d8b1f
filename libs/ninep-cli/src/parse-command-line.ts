import { attachOptions } from './attach-options.js';
import { UsageError } from './errors.js';
import { parseOptions } from './parse-options.js';

export interface CommandLine {
  readonly verb: string;
  readonly path: string;
  /** The second argument of a verb that has one, else empty. */
  readonly target: string;
  /** As given; undefined = the user's own server. */
  readonly address: string | undefined;
  readonly aname: string;
  readonly uname: string | undefined;
  readonly secretFile: string | undefined;
  readonly long: boolean;
  readonly follow: boolean;
}

export type Flag = 'long' | 'follow';

/** What a verb takes on the command line besides one path. */
export interface Grammar {
  readonly flags?: readonly Flag[];
  /** `optional`: the path may be missing; `target`: something follows it. */
  readonly path?: 'optional' | 'target';
}

const OPTIONS = {
  ...attachOptions,
  long: { type: 'boolean', short: 'l' },
  follow: { type: 'boolean', short: 'f' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

const flagNames: readonly Flag[] = ['long', 'follow'];

/** `help` or `version` when that is asked for. Throws UsageError. */
export function parseCommandLine(argv: readonly string[], verbs: Readonly<Record<string, Grammar>>): CommandLine | 'help' | 'version' {
  const { values, positionals } = parseOptions(argv, OPTIONS);
  const [verb, ...operands] = positionals;
  if (values.help === true || verb === 'help') return 'help';
  if (values.version === true) return 'version';
  if (verb === undefined) throw new UsageError('no command is given');
  const grammar = grammarOf(verb, verbs);
  checkOperands(verb, grammar, operands);
  const wrong = flagNames.find((flag) => values[flag] === true && !grammar.flags?.includes(flag));
  if (wrong !== undefined) throw new UsageError(`${verb} has no option -${OPTIONS[wrong].short}`);
  const [path = '/', target = ''] = operands;
  const { address, uname, aname = '', long = false, follow = false, 'secret-file': secretFile } = values;
  return { verb, path, target, address, aname, uname, secretFile, long, follow };
}

function grammarOf(verb: string, verbs: Readonly<Record<string, Grammar>>): Grammar {
  const grammar = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  if (grammar === undefined) throw new UsageError(`no such command: ${verb}`);
  return grammar;
}

function checkOperands(verb: string, { path }: Grammar, operands: readonly string[]): void {
  const most = path === 'target' ? 2 : 1;
  const least = path === 'optional' ? 0 : most;
  const what = path === 'target' ? 'a path and a new name' : 'one path';
  if (operands.length > most) throw new UsageError(`${verb} takes ${what}, found more: ${operands.slice(most).join(' ')}`);
  if (operands.length < least) throw new UsageError(`${verb} needs ${what.replace('one', 'a')}`);
}
