import type { Environment, Log } from '#config';
import type { KeptSessions } from './kept-sessions.js';

/** What sessions get from the server that they live in. `cwd` is absolute. */
export class SessionDefaults {
  constructor(
    readonly cwd: string,
    readonly home: string,
    readonly environment: Environment,
    readonly log: Log,
    /** Where they outlive it. */
    readonly kept: KeptSessions,
  ) {}
}
