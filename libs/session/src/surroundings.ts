import type { Agent, AgentSurroundings, ProfileStore } from '#agent';
import type { ToolHost } from '#model';
import { workingDirectory } from './working-directory.js';

/** What a session has that its agents may see. */
export interface SharedParts {
  readonly hands: ToolHost;
  readonly profiles: ProfileStore;
  /** The text of `session/idx`. */
  readonly sessionLines: () => string;
  readonly home: string;
}

/** What the agents of a session see of it, one object for all of them. */
export function surroundingsOf(
  { hands, profiles, sessionLines, home }: SharedParts,
  agents: { entries(): Iterable<readonly [name: string, agent: Agent]>; find(nameOrId: string): Agent | undefined },
): AgentSurroundings {
  return {
    hands,
    entries: () => agents.entries(),
    find: (nameOrId) => agents.find(nameOrId),
    profiles: () => profiles.names(),
    sessions: sessionLines,
    directory: (path, base) => workingDirectory(path, base, home),
  };
}
