import type { Environment, Log } from '#config';

/** How toolsrv is started, the same for every session. */
export interface ToolsrvLaunch {
  /** Program and first arguments; `serve` and its options follow. */
  readonly command: readonly [program: string, ...args: string[]];
  /** Paths.runtime: sockets live in a directory below it. */
  readonly runtime: string;
  readonly environment: Environment;
  /** How long a tool server without calls and processes is kept. */
  readonly idleMs: number;
  readonly log: Log;
}

export const IDLE_MS = 5 * 60_000;
