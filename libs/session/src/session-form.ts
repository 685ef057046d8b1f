import { type Agent, type AgentIdentity, type AgentSetup, type ProfileStore, settingsForm, type SettingValues } from '#agent';
import { OllieError } from '#model';
import type { Log } from '#config';
import type { AgentRecord } from '#store';

/** What the session's file says of an agent, with these values. */
export function agentRecord(agent: Agent, values: SettingValues = agent.settings.values): AgentRecord {
  const { cwd, backend, model, maxSteps } = values;
  const { id, parentId, depth } = agent.identity;
  return {
    id,
    name: agent.name,
    profile: agent.profileName,
    backend,
    model,
    maxSteps,
    cwd,
    parent: parentId,
    depth,
    settings: settingsForm(agent.settings, values),
    created: Number(id.slice(0, 13)),
  };
}

export function identityOf({ id, name, cwd, parent, depth }: AgentRecord, sessionId: string): AgentIdentity {
  return { id, sessionId, name, cwd, parentId: parent, depth };
}

/** A profile that is no longer there, or no longer right, is the default one under its old name. */
export function setupOf({ id, profile, backend, model, maxSteps }: AgentRecord, profiles: ProfileStore, log: Log): AgentSetup {
  try {
    return { profile: profiles.get(profile), backend, model, maxSteps };
  } catch (error) {
    if (!(error instanceof OllieError)) throw error;
    log.warn(`agent ${id}: ${error.message}; it has the default profile`);
    return { profile: { ...profiles.get('default'), name: profile }, backend, model, maxSteps };
  }
}
