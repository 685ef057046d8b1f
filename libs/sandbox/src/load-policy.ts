import { join } from 'node:path';
import type { Paths } from '#config';
import { composePolicy } from './compose-policy.js';
import type { Layers } from './layers.js';
import { ownPlaces } from './own-places.js';
import { plainPath } from './path-check.js';
import { expandVariables } from './path-variables.js';
import { parseDocument, type PolicyDocument } from './policy-document.js';
import { DEFAULT_NAME, readBase, readDocument, readNamed, readProject, readRemoteBase } from './policy-files.js';
import type { ExplainedPolicy, PathVariables } from './policy.js';

/**
 * `file`: one file alone, whatever the user and the project have. `remote`: the built-in policy of a remote host in the place of
 * sandbox.yaml. `project`: as it was read before any tool could change it; undefined: as it is now.
 */
export type PolicyChoice =
  | { readonly type: 'usual' | 'remote'; readonly name: string; readonly project?: ReadProject }
  | { readonly type: 'file'; readonly file: string };

/** What a directory's project has to say, which may be nothing. */
export interface ReadProject {
  readonly layer: Layers['project'];
}

export function readProjectOf(paths: Paths, cwd: string | undefined): ReadProject {
  return { layer: readProject(paths, cwd) };
}

export const USUAL: PolicyChoice = { type: 'usual', name: DEFAULT_NAME };

/**
 * The policy of a working directory: sandbox.yaml (the user's, else the packaged one), narrowed by the named policy and by
 * the project's file. Throws SandboxConfigError naming file, line and key.
 * `variables` is looked at for CWD, HOME, TMPDIR, XDG_*, OLLIE*, NAMESPACE; the OLLIE_* that it lacks come from `paths`.
 * Links are followed now, once: load a policy when its working directory is set, not when a tool may already have changed it.
 */
export function loadPolicy(paths: Paths, variables: PathVariables, choice: PolicyChoice = USUAL): ExplainedPolicy {
  const known = { ...variablesOf(paths), ...variables, ...searched(paths) };
  return composePolicy(layersOf(paths, variables['CWD'], choice), known, ownPlaces(known, paths.packaged));
}

/** The absolute paths that `loadPolicy` would look at because its files name them. Looks at none of them. Throws SandboxConfigError. */
export function pathsOfPolicy(paths: Paths, variables: PathVariables, choice: PolicyChoice = USUAL): readonly string[] {
  const known = { ...variablesOf(paths), ...variables, ...searched(paths) };
  const { base, named, project } = layersOf(paths, variables['CWD'], choice);
  return [base, named, project?.document].flatMap((document) => (document === undefined ? [] : pathsIn(document, known)));
}

function pathsIn({ rules, sockets, deny }: PolicyDocument, variables: PathVariables): readonly string[] {
  return [...(rules ?? []), ...(sockets ?? []), ...deny].flatMap(({ text, origin }) => {
    const expansion = expandVariables(text, origin, variables);
    return 'unset' in expansion ? [] : expansion.paths.map((path) => plainPath(path, origin));
  });
}

/** A policy from the text of a base alone; `origin` is what errors and notes call it. */
export function parsePolicy(text: string, origin: string, variables: PathVariables): ExplainedPolicy {
  const layers = { base: parseDocument(text, origin), builtIn: false, named: undefined, project: undefined };
  return composePolicy(layers, variables, ownPlaces(variables));
}

function layersOf(paths: Paths, cwd: string | undefined, choice: PolicyChoice): Layers {
  if (choice.type === 'file') return { base: readDocument(choice.file), builtIn: false, named: undefined, project: undefined };
  const base = choice.type === 'remote' ? readRemoteBase(paths) : readBase(paths);
  const { layer } = choice.project ?? readProjectOf(paths, cwd);
  return { ...base, named: readNamed(paths, choice.name), project: layer };
}

function variablesOf(paths: Paths): PathVariables {
  return {
    HOME: paths.home,
    OLLIE: join(paths.home, 'mnt/ollie'),
    OLLIE_CFG_PATH: paths.config,
    OLLIE_DATA_PATH: paths.data,
    OLLIE_SKILLS_PATH: join(paths.config, 'skills'),
    OLLIE_NODE: process.execPath,
  };
}

/** Paths knows the packaged directories as well, which the environment's values do not name. */
function searched(paths: Paths): PathVariables {
  return {
    OLLIE_TOOLS_PATH: paths.tools.join(':'),
    OLLIE_AGENTS_PATH: paths.agents.join(':'),
    OLLIE_PROMPTS_PATH: paths.prompts.join(':'),
  };
}
