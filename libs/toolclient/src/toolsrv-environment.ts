import { isSecretName } from '#config';
import type { Environment } from '#config';

/** The environment that toolsrv starts with: everything but what names a secret. */
export function toolsrvEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !isSecretName(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, value ?? '']));
}
