import { errnoOf, messageOf } from '#config';
import { OllieError } from '#model';
import { RunOrderError, SandboxHelperError } from '#sandbox';

/** A call that is turned down before anything runs. The message is the contract's text of 3.2. */
export class CallRefusedError extends OllieError {
  constructor(message: string) {
    super(message, 'EINVAL');
  }
}

/** What a result says about a call that could not be started; undefined for errors that are bugs. */
export function refusalText(error: unknown): string | undefined {
  if (error instanceof CallRefusedError) return error.message;
  const isKnown = error instanceof RunOrderError || error instanceof SandboxHelperError || errnoOf(error) !== undefined;
  return isKnown ? `execution failed: ${messageOf(error)}` : undefined;
}
