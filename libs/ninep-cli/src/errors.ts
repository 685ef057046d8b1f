/** The command line makes no sense; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the user reads as `<program>: <message>`. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Whoever read our output has gone. */
export class ClosedOutputError extends Error {
  override readonly name = 'ClosedOutputError';

  constructor() {
    super('output closed');
  }
}
