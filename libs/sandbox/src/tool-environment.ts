import { isSecretName, type Environment } from '#config';
import type { SandboxPolicy } from './policy.js';

/**
 * The variables of `environment` that the policy lets a tool see. A name that holds a secret by custom passes
 * only when it is listed in full, never by a `PREFIX_*`.
 */
export function toolEnvironment(policy: Pick<SandboxPolicy, 'env'>, environment: Environment): Record<string, string> {
  const names = new Set(policy.env.filter((name) => !name.endsWith('*')));
  const prefixes = policy.env.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const passes = (name: string): boolean => names.has(name) || (!isSecretName(name) && prefixes.some((prefix) => name.startsWith(prefix)));
  const chosen: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && passes(name)) chosen[name] = value;
  return chosen;
}
