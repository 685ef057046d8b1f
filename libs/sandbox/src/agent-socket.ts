import { realPathOf } from './path-check.js';
import type { ExplainedPolicy, PathGrant, PathVariables } from './policy.js';
import { opensSocket } from './rights.js';

const AGENT = 'SSH_AUTH_SOCK';

interface Opened {
  readonly grants: readonly PathGrant[];
  readonly variables: PathVariables;
  readonly notes: string[];
}

/** The names of variables without SSH_AUTH_SOCK, unless the policy opens the socket that it names: else it names a closed door. */
export function agentNames({ env, envOrigins }: Pick<ExplainedPolicy, 'env' | 'envOrigins'>, opened: Opened): readonly string[] {
  if (!env.includes(AGENT) || isOpen(opened)) return env;
  opened.notes.push(`${envOrigins[AGENT] ?? 'env'}: ${AGENT} is withheld: network.unix does not open the agent's socket`);
  return env.filter((name) => name !== AGENT);
}

function isOpen({ grants, variables }: Opened): boolean {
  const agent = variables[AGENT];
  return agent?.startsWith('/') === true && opensSocket(grants, realPathOf(agent));
}
