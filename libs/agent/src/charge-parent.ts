import type { AgentIdentity } from './agent-identity.js';
import type { PeerAgents } from './peers.js';

/** Puts what an agent's answers cost on the account of the agent that it was made by, if that is still there. */
export function chargeParent({ parentId }: AgentIdentity, agents: PeerAgents): (costUSD: number | undefined) => void {
  return (costUSD) => {
    if (parentId !== undefined) agents.find(parentId)?.account.bear(costUSD);
  };
}
