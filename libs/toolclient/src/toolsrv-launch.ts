import type { Environment, Log } from '#config';
import type { AgentDoors, ApprovalDesk, EventSink } from '#model';

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
  /** Opened before an agent's first call. */
  readonly doors?: AgentDoors;
  /** Who decides about calls that want to leave the sandbox, or that a rule asks about. */
  readonly desk?: ApprovalDesk;
  /** Hears of tool servers that come and go. */
  readonly events?: EventSink;
}

export const IDLE_MS = 5 * 60_000;
