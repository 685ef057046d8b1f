import { isSecretName } from '#config';
import type { Environment } from '#config';

/**
 * The compiler of the guard's grammar takes some 30 MB for a moment, on a thread of its own. The C library keeps what such a
 * thread gives back, unless it is told from how many bytes on it should not.
 */
const MEMORY = { MALLOC_TRIM_THRESHOLD_: String(2 ** 20) };

/** The environment that toolsrv starts with: everything but what names a secret. */
export function toolsrvEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).filter(([name, value]) => value !== undefined && !isSecretName(name));
  return { ...MEMORY, ...Object.fromEntries(kept.map(([name, value]) => [name, value ?? ''])) };
}
