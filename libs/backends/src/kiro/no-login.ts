import { AuthError } from '#model';

/** `why` holds nothing of a login. */
export function noLogin(backend: string, why: string): AuthError {
  return new AuthError(`${backend}: no login: ${why}`, { backend, kind: 'auth' });
}
