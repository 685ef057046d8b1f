import { parseArgs } from 'node:util';
import { messageOf } from '#config';
import { UsageError } from './errors.js';

export interface CommandLine {
  readonly verb: string;
  readonly path: string;
  /** As given; undefined = the user's own server. */
  readonly address: string | undefined;
  readonly aname: string;
  readonly uname: string | undefined;
  readonly secretFile: string | undefined;
  readonly long: boolean;
}

const OPTIONS = {
  address: { type: 'string', short: 'a' },
  aname: { type: 'string', short: 'A' },
  uname: { type: 'string', short: 'u' },
  'secret-file': { type: 'string' },
  long: { type: 'boolean', short: 'l' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** `help` when usage is asked for. Throws UsageError. A path is optional only for ls. */
export function parseCommandLine(argv: readonly string[], verbs: readonly string[]): CommandLine | 'help' {
  const { values, positionals } = parsed(argv);
  if (values.help === true) return 'help';
  const [verb, path, ...rest] = positionals;
  if (verb === undefined) throw new UsageError('what shall be done?');
  if (!verbs.includes(verb)) throw new UsageError(`no such command: ${verb}`);
  if (rest.length > 0) throw new UsageError(`${verb} takes one path, found more: ${rest.join(' ')}`);
  if (path === undefined && verb !== 'ls') throw new UsageError(`${verb} needs a path`);
  if (values.long === true && verb !== 'ls') throw new UsageError(`${verb} has no option -l`);
  return {
    verb,
    path: path ?? '/',
    address: values.address,
    aname: values.aname ?? '',
    uname: values.uname,
    secretFile: values['secret-file'],
    long: values.long ?? false,
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(messageOf(error));
  }
}
