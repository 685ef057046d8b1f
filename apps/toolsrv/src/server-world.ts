import type { Environment } from '#config';

/** What the command line is read in. */
export class ServerWorld {
  constructor(
    readonly env: Environment,
    readonly cwd: string,
  ) {}
}
