import type { Log } from '#config';

/** Logs what only a bug of a port or of the loop can be, and gives the text for the turn's error block. */
export function reportBug(error: unknown, log: Log): string {
  log.error(`turn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return `internal error: ${error instanceof Error ? error.message : String(error)}`;
}
