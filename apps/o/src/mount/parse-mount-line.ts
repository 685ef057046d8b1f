import { join } from 'node:path';
import type { Environment } from '#config';
import { attachOptions, parseOptions, UsageError } from '#ninep-cli';

export const USAGE = `usage: o mount [-f] [-a ADDRESS] [-A ANAME] [-u UNAME] [--secret-file FILE]
               [DIR]
       o umount [DIR]
Mounts the namespace of an Ollie server on DIR, and takes that mount away.
DIR is $OLLIE or ~/mnt/ollie if not given. Without -f the mount goes on in the
background. For the options see o --help.
`;

const OPTIONS = {
  ...attachOptions,
  foreground: { type: 'boolean', short: 'f' },
  help: { type: 'boolean', short: 'h' },
} as const;

export interface MountLine {
  readonly verb: 'mount' | 'umount';
  readonly directory: string;
  readonly foreground: boolean;
  /** As given; undefined = the user's own server. */
  readonly address: string | undefined;
  readonly aname: string;
  readonly uname: string | undefined;
  readonly secretFile: string | undefined;
}

/** `help` when usage is asked for. Throws UsageError. */
export function parseMountLine(argv: readonly string[], env: Environment): MountLine | 'help' {
  const { values, positionals } = parseOptions(argv, OPTIONS);
  if (values.help === true) return 'help';
  const [verb, directory = defaultDirectory(env), ...rest] = positionals;
  if (rest.length > 0) throw new UsageError(`one directory is enough, found more: ${rest.join(' ')}`);
  if (verb === 'umount' && Object.keys(values).length > 0) throw new UsageError('umount takes no options');
  return {
    verb: verb === 'umount' ? verb : 'mount',
    directory,
    foreground: values.foreground ?? false,
    address: values.address,
    aname: values.aname ?? '',
    uname: values.uname,
    secretFile: values['secret-file'],
  };
}

function defaultDirectory(env: Environment): string {
  if (env['OLLIE']) return env['OLLIE'];
  if (!env['HOME']) throw new UsageError('which directory? neither OLLIE nor HOME is set');
  return join(env['HOME'], 'mnt/ollie');
}
