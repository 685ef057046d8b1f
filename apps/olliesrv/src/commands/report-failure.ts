import { messageOf } from '#config';
import { UsageError } from './daemon-command.js';

/** The end of a command that failed: one sentence on stderr, exit code 2 for wrong usage and 1 for anything else. */
export function reportFailure(error: Error): void {
  const code = commanderCode(error);
  if (code === undefined) process.stderr.write(`olliesrv: ${messageOf(error)}\n`);
  process.exitCode = code ?? (error instanceof UsageError ? 2 : 1);
}

/** Commander has already said what is wrong, or shown the help that was asked for. */
function commanderCode(error: Error): number | undefined {
  if (!('code' in error && 'exitCode' in error && String(error.code).startsWith('commander.'))) return undefined;
  return error.exitCode === 0 ? 0 : 2;
}
