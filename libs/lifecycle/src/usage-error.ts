/** Wrong options or arguments of a command line: exit code 2. */
export class UsageError extends Error {}
