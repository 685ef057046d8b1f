import type { ToolHost } from '#model';
import type { PeerAgents } from './peers.js';

/** What an agent knows of where it lives: itself and the other agents of its session, and what is around them. */
export interface AgentSurroundings extends PeerAgents {
  readonly hands: ToolHost;
  /** The names of the profiles. */
  profiles(): readonly string[];
  /** The text of `session/idx`. */
  sessions(): string;
  /** The directory that a path names, seen from `base`. Rejects with NotFoundError. */
  directory(path: string, base: string): Promise<string>;
}
