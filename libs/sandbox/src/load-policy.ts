import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Paths } from '#config';
import { grantsOf } from './grants.js';
import { implicitRules } from './implicit-rules.js';
import { parseDocument } from './policy-document.js';
import type { PathVariables, SandboxPolicy } from './policy.js';

/**
 * Reads sandbox.yaml (the user's, else the packaged one). Throws SandboxConfigError naming file and key.
 * `variables` is looked at for CWD, HOME, TMPDIR, XDG_* and OLLIE_*; the OLLIE_* that it lacks come from `paths`.
 * Links are followed now, once: load a policy when its working directory is set, not when a tool may already have changed it.
 */
export function loadPolicy(paths: Paths, variables: PathVariables): SandboxPolicy {
  const own = join(paths.config, 'sandbox.yaml');
  const file = existsSync(own) ? own : join(paths.packaged, 'sandbox.yaml');
  return parsePolicy(readFileSync(file, 'utf8'), file, { ...variablesOf(paths), ...variables, ...searched(paths) });
}

/** The same from text; `origin` is what errors and notes call it. */
export function parsePolicy(text: string, origin: string, variables: PathVariables): SandboxPolicy {
  const { rules, ...document } = parseDocument(text, origin);
  const { grants, notes } = grantsOf([...rules, ...implicitRules(variables)], variables, document.bestEffort);
  const env = document.env.filter((name) => name !== 'SSH_AUTH_SOCK');
  const withheld = env.length < document.env.length ? [`${origin}: env: SSH_AUTH_SOCK is withheld: tools cannot connect to sockets`] : [];
  return { ...document, env, grants, notes: [...notes, ...withheld], ldd: false, addExec: false };
}

function variablesOf(paths: Paths): PathVariables {
  return { HOME: paths.home, OLLIE_CFG_PATH: paths.config, OLLIE_DATA_PATH: paths.data, OLLIE_NODE: process.execPath };
}

/** Paths knows the packaged directories as well, which the environment's values do not name. */
function searched(paths: Paths): PathVariables {
  return {
    OLLIE_TOOLS_PATH: paths.tools.join(':'),
    OLLIE_AGENTS_PATH: paths.agents.join(':'),
    OLLIE_PROMPTS_PATH: paths.prompts.join(':'),
  };
}
