import type { Environment } from '#config';

/** What a command line sees of the machine. */
export class World {
  constructor(
    readonly environment: Environment,
    readonly cwd: string,
    /** The program that is running, for a child that is to run the same. */
    readonly script: string,
  ) {}
}
