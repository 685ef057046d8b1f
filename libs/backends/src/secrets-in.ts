import type { Connection } from './connection.js';
import { inLowerCase, secretsOf } from './wire/endpoint.js';

/** What no message about a connection may hold; `secret` is what its requests are sent with. */
export function secretsIn({ headers }: Pick<Connection, 'headers'>, secret: string | undefined): readonly string[] {
  return secretsOf({ secret, headers: inLowerCase(headers) });
}
