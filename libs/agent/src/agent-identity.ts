import type { Profile } from './profile.js';

export interface AgentIdentity {
  readonly id: string;
  readonly sessionId: string;
  /** At first; it may be given another. */
  readonly name: string;
  readonly cwd: string;
  readonly parentId: string | undefined;
  /** 0 for an agent of a person, parent's + 1 for a child; the limit is 3. */
  readonly depth: number;
}

/** What an agent works with. `backend`, `model`, `maxSteps` override the profile when given. */
export interface AgentSetup {
  readonly profile: Profile;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly maxSteps: number | undefined;
}
