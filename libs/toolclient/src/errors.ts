import { LostConnectionError, PartnerError } from '#model';

/** The answer of a tool server is not what the contract says. `what` names the file and the fault. */
export class MalformedAnswerError extends PartnerError {
  constructor(what: string) {
    super(`toolsrv: malformed answer: ${what}`);
  }
}

/** The tool server went away, or was told to. */
export class ToolsrvLostError extends LostConnectionError {
  constructor(cause?: unknown) {
    super('toolsrv', cause === undefined ? undefined : { cause });
  }
}

/** The tool server did not start; `lastLines` is the end of what it said on stderr. */
export class ToolsrvStartError extends PartnerError {
  constructor(why: string, lastLines: readonly string[] = []) {
    super(`toolsrv: ${[why, ...lastLines].join('\n')}`);
  }
}
