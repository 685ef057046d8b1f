import { SandboxConfigError } from './errors.js';
import { placeAt } from './path-check.js';
import type { PathRule } from './policy-document.js';
import type { PathVariables } from './policy.js';

/** Not /dev/pts: it holds all terminals of the user, and whoever may open them reads what is typed there. */
const DEVICES = ['null', 'zero', 'full', 'random', 'urandom', 'tty', 'ptmx'].map((name) => `/dev/${name}`);
/** Often links into /run, which no policy lists. */
const LINKED = ['/etc/resolv.conf', '/etc/localtime'];
const SHARED = ['/tmp', '/var/tmp', '/dev/shm'];

/** What every policy grants: the harmless devices, name resolution, the time zone, and the private temporary directory. */
export function implicitRules(variables: PathVariables): readonly PathRule[] {
  return [
    ...DEVICES.filter(placeAt).map((text) => ({ text, access: 'rw' as const, origin: 'every policy' })),
    ...LINKED.filter(placeAt).map((text) => ({ text, access: 'ro' as const, origin: 'every policy' })),
    ...temporary(variables['TMPDIR']),
  ];
}

function temporary(path: string | undefined): readonly PathRule[] {
  if (!path) return [];
  const real = placeAt(path)?.path ?? path;
  if (SHARED.includes(real)) throw new SandboxConfigError(`TMPDIR: ${path} is shared with others; tools need a private directory`);
  return [{ text: '{TMPDIR}', access: 'rwx', origin: 'every policy' }];
}
