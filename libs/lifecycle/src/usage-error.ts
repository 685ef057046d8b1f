/** Wrong options or arguments of a command line: exit code 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    /** The subcommand whose `--help` says more; empty for the program's own; undefined when the message says enough. */
    readonly explainedBy?: string,
  ) {
    super(message);
  }
}
