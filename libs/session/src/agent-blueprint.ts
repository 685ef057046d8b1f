import { newId, PermissionDeniedError } from '#model';
import type { Agent, AgentIdentity, AgentSetup, ProfileStore } from '#agent';
import type { AgentRequest } from './requests.js';
import { workingDirectory } from './working-directory.js';

const MAX_DEPTH = 3;
const DEFAULT_PROFILE = 'default';

/** What a session has to say about its agents. */
export interface AgentPlace {
  readonly sessionId: string;
  /** Working directory of agents that name none. */
  readonly cwd: string;
  readonly home: string;
  readonly profiles: ProfileStore;
}

export interface AgentBlueprint {
  readonly identity: AgentIdentity;
  readonly setup: AgentSetup;
}

/**
 * Who the requested agent will be and what it will work with. A child has what its parent has, as far as the
 * request says nothing else. Throws NotFoundError (profile, directory), PermissionDeniedError (depth).
 */
export async function agentBlueprint(request: AgentRequest, place: AgentPlace, parent: Agent | undefined): Promise<AgentBlueprint> {
  const depth = depthBelow(parent);
  const setup = setupOf(request, place.profiles, parent);
  const cwd = await workingDirectory(request.cwd ?? parent?.cwd ?? '.', place.cwd, place.home);
  const id = newId();
  return { setup, identity: { id, sessionId: place.sessionId, name: request.name ?? id, cwd, parentId: parent?.id, depth } };
}

function setupOf(request: AgentRequest, profiles: ProfileStore, parent: Agent | undefined): AgentSetup {
  const isOwnBackend = request.backend !== undefined;
  return {
    profile: profiles.get(request.profile ?? parent?.profileName ?? DEFAULT_PROFILE),
    backend: request.backend ?? given(parent?.backendName),
    model: request.model ?? (isOwnBackend ? undefined : given(parent?.modelName)),
    maxSteps: request.maxSteps,
  };
}

function depthBelow(parent: Agent | undefined): number {
  const depth = parent ? parent.identity.depth + 1 : 0;
  if (depth > MAX_DEPTH) throw new PermissionDeniedError(`subagent depth limit (${String(MAX_DEPTH)})`);
  return depth;
}

function given(name: string | undefined): string | undefined {
  return name === '' ? undefined : name;
}
