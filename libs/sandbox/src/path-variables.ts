import { SandboxConfigError } from './errors.js';
import type { PathVariables } from './policy.js';

const VARIABLE = /\{([A-Z_a-z0-9]*)\}/g;
const KNOWN = /^(CWD|HOME|TMPDIR|SSH_AUTH_SOCK|XDG_[A-Z_]+|OLLIE_[A-Z_]+)$/;

export type Expansion = { readonly paths: readonly string[] } | { readonly unset: string };

/**
 * The paths that `{NAME}` and text stand for: several when a variable holds a list (`a:b`).
 * Throws SandboxConfigError for a name that is not known. A variable without a value gives `unset`, never an
 * empty text, or `{NAME}/x` would become `/x`.
 */
export function expandVariables(text: string, origin: string, variables: PathVariables): Expansion {
  const names = [...text.matchAll(VARIABLE)].map((match) => match[1] ?? '');
  refuseUnknown(text, origin, names);
  const unset = names.find((name) => valuesOf(name, variables).length === 0);
  if (unset !== undefined) return { unset };
  return { paths: names.reduce<readonly string[]>((paths, name) => paths.flatMap((path) => replace(path, name, variables)), [text]) };
}

function refuseUnknown(text: string, origin: string, names: readonly string[]): void {
  const unknown = names.find((name) => !KNOWN.test(name));
  if (unknown !== undefined)
    throw new SandboxConfigError(
      `${origin}: unknown variable {${unknown}} in ${text} (known: {CWD} {HOME} {TMPDIR} {SSH_AUTH_SOCK} {XDG_...} {OLLIE_...})`,
    );
  if (/[{}]/.test(text.replaceAll(VARIABLE, ''))) throw new SandboxConfigError(`${origin}: unbalanced bracket in ${text}`);
}

function replace(path: string, name: string, variables: PathVariables): readonly string[] {
  return valuesOf(name, variables).map((value) => path.replace(`{${name}}`, () => value));
}

function valuesOf(name: string, variables: PathVariables): readonly string[] {
  const value = name.startsWith('XDG_') ? baseDirectory(name, variables) : variables[name];
  if (value === undefined) return [];
  const values = LIST.test(name) ? value.split(':') : [value];
  return values.filter((entry) => entry !== '');
}

const LIST = /^(OLLIE_.*_PATH|XDG_.*_DIRS)$/;
const XDG_LISTS: Readonly<Record<string, string>> = { XDG_CONFIG_DIRS: '/etc/xdg', XDG_DATA_DIRS: '/usr/local/share:/usr/share' };
const XDG_DEFAULTS: Readonly<Record<string, string>> = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
};

/** The base directory specification has relative values ignored. */
function baseDirectory(name: string, variables: PathVariables): string | undefined {
  const value = variables[name];
  if (name in XDG_LISTS) return value ? value.replace(/(^|:)[^/:][^:]*/g, '') : XDG_LISTS[name];
  if (value?.startsWith('/')) return value;
  if (name === 'XDG_RUNTIME_DIR') return `/run/user/${process.getuid?.() ?? 0}`;
  const below = XDG_DEFAULTS[name];
  return below === undefined || !variables['HOME'] ? undefined : `${variables['HOME']}/${below}`;
}
