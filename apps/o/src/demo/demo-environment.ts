import { dirname } from 'node:path';
import { chosenBackend } from './chosen-backend.js';
import type { Workspace } from './workspace.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the servers may know of the user's environment: the language, the way to the network, and the choice of a model. */
const PASSED_ON =
  /^(LANG|LC_\w+|TERM|(HTTPS?|NO|ALL)_PROXY|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|OLLIE_\w+_(URL|KEY|TOKEN|NUM_CTX|HEADERS|PROFILE_ARN|ORIGIN)|OLLIE_MAX_SESSION_COST)$/i;

/** An environment in which every path of Ollie lies in the workspace. Without OLLIE_BACKEND the demo script of the scripted backend decides. */
export function demoEnvironment(env: Environment, workspace: Workspace): Readonly<Record<string, string>> {
  const { home } = workspace;
  return {
    ...passedOn(env),
    ...chosenModel(env),
    PATH: `${dirname(process.execPath)}:${env.PATH ?? '/usr/bin:/bin'}`,
    HOME: home,
    TMPDIR: workspace.temporary,
    NAMESPACE: workspace.namespace,
    XDG_RUNTIME_DIR: workspace.runtime,
    OLLIE_CFG_PATH: `${home}/config`,
    OLLIE_DATA_PATH: `${home}/data`,
  };
}

function passedOn(env: Environment): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && PASSED_ON.test(name)) passed[name] = value;
  return passed;
}

function chosenModel(env: Environment): Record<string, string> {
  const backend = chosenBackend(env);
  if (backend === 'scripted') return { OLLIE_BACKEND: 'scripted', OLLIE_MODEL: 'demo' };
  return { OLLIE_BACKEND: backend, ...(env.OLLIE_MODEL === undefined ? {} : { OLLIE_MODEL: env.OLLIE_MODEL }) };
}
