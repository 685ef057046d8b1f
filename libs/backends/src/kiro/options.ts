import type { Connection } from '../connection.js';

/** A `key` is a bearer token or a key of Kiro; it counts before a `tokenFile`. */
export interface KiroOptions extends Connection {
  /** Where a login of the user's lies, as Kiro keeps it; it is read and never written. */
  readonly tokenFile?: string | undefined;
  /** Some accounts must say which profile they use. */
  readonly profileArn?: string | undefined;
  /** As what requests come; undefined = it is not said. */
  readonly origin?: string | undefined;
}
