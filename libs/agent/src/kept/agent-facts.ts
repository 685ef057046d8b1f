import type { JsonObject } from '#model';
import type { AgentIdentity } from '../agent-identity.js';
import type { AgentSettings } from '../agent-settings.js';

/** Who an agent is and what it works with, as it is kept. */
export function agentFacts(identity: AgentIdentity, settings: AgentSettings, name: string): JsonObject {
  const { cwd, backend, model, params } = settings.values;
  return {
    id: identity.id,
    agent: settings.profile.name,
    version: 1,
    sessionID: identity.sessionId,
    name,
    profile: settings.profile.name,
    backend: backend ?? null,
    model: model ?? null,
    cwd,
    parent: identity.parentId ?? null,
    params: { ...params },
  };
}
