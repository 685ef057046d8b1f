/** Wrong options or arguments: exit code 2. */
export class UsageError extends Error {}
