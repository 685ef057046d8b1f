import type { Environment, Log } from '#config';

/** What sessions get from the server that they live in. `cwd` is absolute. */
export class SessionDefaults {
  constructor(
    readonly cwd: string,
    readonly home: string,
    readonly environment: Environment,
    readonly log: Log,
  ) {}
}
