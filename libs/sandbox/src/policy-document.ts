import { ConfigError, parseYaml, yamlLines } from '#config';
import { SandboxConfigError } from './errors.js';
import type { GrantClass } from './policy.js';
import { flagOf, listOf, placeOf, subsection, toDocument, type Section } from './yaml-section.js';

/** A path as it is written in the file. */
export interface PathText {
  readonly text: string;
  readonly origin: string;
}

/** `socket`: of network.unix, which lists sockets and nothing else. */
export interface PathRule extends PathText {
  readonly access: GrantClass;
  readonly socket?: true;
}

/** A value, and the place that it was written in. */
export interface Setting<T> {
  readonly value: T;
  readonly origin: string;
}

/** What one file says, before paths are expanded. What it does not say is undefined. */
export interface PolicyDocument {
  readonly file: string;
  readonly bestEffort: Setting<boolean> | undefined;
  /** undefined: no list of paths at all. */
  readonly rules: readonly PathRule[] | undefined;
  readonly deny: readonly PathText[];
  readonly network: Setting<boolean> | undefined;
  /** undefined: no list of sockets at all. */
  readonly sockets: readonly PathRule[] | undefined;
  readonly env: readonly Setting<string>[] | undefined;
  readonly ldd: Setting<boolean> | undefined;
  readonly addExec: Setting<boolean> | undefined;
  readonly cell: Setting<boolean> | undefined;
}

const CLASSES: readonly GrantClass[] = ['ro', 'rox', 'rw', 'rwx'];
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*\*?$/;

/** Throws SandboxConfigError for anything that is not known: a typo must not mean "deny all" or "allow all". */
export function parseDocument(text: string, file: string): PolicyDocument {
  const source = { name: file, lines: yamlLines(text) };
  const root = toDocument(readYaml(text, file), source, ['general', 'filesystem', 'network', 'env', 'advanced']);
  const general = subsection(root, 'general', ['best_effort']);
  const filesystem = subsection(root, 'filesystem', [...CLASSES, 'deny']);
  const network = subsection(root, 'network', ['enabled', 'unrestricted', 'unix']);
  const advanced = subsection(root, 'advanced', ['ldd', 'add_exec', 'cell']);
  return {
    file,
    bestEffort: settingOf(general, 'best_effort'),
    rules: CLASSES.some((access) => filesystem.values.has(access)) ? rulesOf(filesystem) : undefined,
    deny: textsOf(filesystem, 'deny'),
    network: networkOf(network),
    sockets: network.values.has('unix') ? textsOf(network, 'unix').map((text) => ({ ...text, access: 'rw', socket: true })) : undefined,
    env: envOf(root),
    ldd: settingOf(advanced, 'ldd'),
    addExec: settingOf(advanced, 'add_exec'),
    cell: settingOf(advanced, 'cell'),
  };
}

function readYaml(text: string, file: string): unknown {
  try {
    return parseYaml(text, file);
  } catch (error) {
    if (error instanceof ConfigError) throw new SandboxConfigError(error.message);
    throw error;
  }
}

function settingOf(section: Section, key: string): Setting<boolean> | undefined {
  const value = flagOf(section, key);
  return value === undefined ? undefined : { value, origin: placeOf(section, key) };
}

function textsOf(section: Section, key: string): readonly PathText[] {
  return listOf(section, key).map((text, index) => ({ text, origin: placeOf(section, key, index) }));
}

function rulesOf(filesystem: Section): readonly PathRule[] {
  return CLASSES.flatMap((access) => textsOf(filesystem, access).map((rule) => ({ ...rule, access })));
}

/** Two spellings of one switch; given both, they must agree. */
function networkOf(network: Section): Setting<boolean> | undefined {
  const enabled = settingOf(network, 'enabled');
  const unrestricted = settingOf(network, 'unrestricted');
  if (enabled !== undefined && unrestricted !== undefined && enabled.value !== unrestricted.value)
    throw new SandboxConfigError(`${unrestricted.origin}: enabled and unrestricted contradict each other; keep one`);
  return enabled ?? unrestricted;
}

function envOf(root: Section): readonly Setting<string>[] | undefined {
  const names = listOf(root, 'env');
  const bad = names.findIndex((name) => !ENV_NAME.test(name));
  if (bad >= 0) throw new SandboxConfigError(`${placeOf(root, 'env', bad)}: not a variable name: ${names[bad]}`);
  return root.values.has('env') ? names.map((value, index) => ({ value, origin: placeOf(root, 'env', index) })) : undefined;
}
