/** Port to the doors by which agents come into the namespace, each by its own. */
export abstract class AgentDoors {
  /** Opens the agent's door, if it is not open. Never rejects: an agent can work without. */
  abstract open(agentId: string): Promise<void>;

  /** Resolves when nobody can come by it any more and those who did are gone. */
  abstract close(agentId: string): Promise<void>;
}
