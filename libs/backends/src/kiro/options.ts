import type { Connection } from '../connection.js';

/** A `key` is a bearer token or a key of Kiro. */
export type KiroOptions = Connection;
