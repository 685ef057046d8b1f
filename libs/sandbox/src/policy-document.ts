import { ConfigError, parseYaml } from '#config';
import { SandboxConfigError } from './errors.js';
import type { GrantClass } from './policy.js';
import { flagOf, listOf, placeOf, subsection, toDocument, type Section } from './yaml-section.js';

/** A path as it is written in the file. */
export interface PathRule {
  readonly text: string;
  readonly access: GrantClass;
  readonly origin: string;
}

/** What a sandbox.yaml says, defaults filled in, before paths are expanded. */
export interface PolicyDocument {
  readonly bestEffort: boolean;
  readonly rules: readonly PathRule[];
  readonly network: boolean;
  readonly env: readonly string[];
}

const CLASSES: readonly GrantClass[] = ['ro', 'rox', 'rw', 'rwx'];
const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*\*?$/;

/** Throws SandboxConfigError for anything that is not known: a typo must not mean "deny all" or "allow all". */
export function parseDocument(text: string, origin: string): PolicyDocument {
  const root = toDocument(readYaml(text, origin), origin, ['general', 'filesystem', 'network', 'env', 'advanced']);
  refuseUnsupported(subsection(root, 'advanced', ['ldd', 'add_exec']));
  return {
    bestEffort: flagOf(subsection(root, 'general', ['best_effort']), 'best_effort') ?? true,
    rules: rulesOf(subsection(root, 'filesystem', CLASSES)),
    network: networkOf(subsection(root, 'network', ['enabled', 'unrestricted'])),
    env: envOf(root),
  };
}

function readYaml(text: string, origin: string): unknown {
  try {
    return parseYaml(text, origin);
  } catch (error) {
    if (error instanceof ConfigError) throw new SandboxConfigError(error.message);
    throw error;
  }
}

function rulesOf(filesystem: Section): readonly PathRule[] {
  return CLASSES.flatMap((access) =>
    listOf(filesystem, access).map((text, index) => ({ text, access, origin: `${placeOf(filesystem, access)}[${index}]` })),
  );
}

/** Two spellings of one switch; given both, they must agree. */
function networkOf(network: Section): boolean {
  const enabled = flagOf(network, 'enabled');
  const unrestricted = flagOf(network, 'unrestricted');
  if (enabled !== undefined && unrestricted !== undefined && enabled !== unrestricted)
    throw new SandboxConfigError(`${network.place}: enabled and unrestricted contradict each other; keep one`);
  return enabled ?? unrestricted ?? true;
}

function envOf(root: Section): readonly string[] {
  const names = listOf(root, 'env');
  const bad = names.findIndex((name) => !ENV_NAME.test(name));
  if (bad >= 0) throw new SandboxConfigError(`${placeOf(root, 'env')}[${bad}]: not a variable name: ${names[bad]}`);
  return names;
}

const INSTEAD = {
  ldd: 'list the libraries under filesystem.rox',
  add_exec: 'list the program under filesystem.rox',
} as const;

/** Ignoring a wish to widen would surprise as much as granting too much. */
function refuseUnsupported(advanced: Section): void {
  for (const [key, instead] of Object.entries(INSTEAD))
    if (flagOf(advanced, key)) throw new SandboxConfigError(`${placeOf(advanced, key)}: not supported, only false; ${instead}`);
}
