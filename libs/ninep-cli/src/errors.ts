/** The command line makes no sense; the message says how. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A failure that the user reads as `<program>: <message>`. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
}

/** A standard stream failed, which is the fault of no file of the server. The message names the stream. */
export class StreamError extends CommandError {
  override readonly name = 'StreamError';
}

/** Whoever read our output has gone. */
export class ClosedOutputError extends Error {
  override readonly name = 'ClosedOutputError';

  constructor() {
    super('output closed');
  }
}

/** Told by its name: files that a program loads late have classes of their own. */
export function isClosedOutput(error: unknown): boolean {
  return error instanceof Error && error.name === 'ClosedOutputError';
}

/** A standard stream takes nothing more, for whatever reason. */
export function isOutputFailure(error: unknown): boolean {
  return isClosedOutput(error) || (error instanceof Error && error.name === 'StreamError');
}
