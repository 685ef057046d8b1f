import { IllegalInputError } from '#model';
import { agentRequest, type Session, sessionRequest } from '#session';
import type { OlliesrvServices } from '../olliesrv-services.js';

/** What CreateSession takes; an empty text means the default. */
export interface NewSession {
  readonly cwd: string;
  readonly backend: string;
  readonly model: string;
  readonly profile: string;
  readonly remote: string;
}

const FIRST_AGENT = 'main';

/**
 * Makes a session and in it the agent `main`. What can be refused is refused before there is anything; throws
 * IllegalInputError and NotFoundError (directory, profile, backend).
 */
export async function createSession(ollie: OlliesrvServices, { cwd, backend, model, profile, remote }: NewSession): Promise<Session> {
  if (remote !== '') throw new IllegalInputError('key', 'remote');
  const wanted = sessionRequest(given({ cwd }));
  const agent = agentRequest(given({ name: FIRST_AGENT, backend, model, profile }));
  if (agent.profile !== undefined) ollie.profiles.get(agent.profile);
  if (agent.backend !== undefined) ollie.backends.get(agent.backend);
  const session = await ollie.sessions.create(wanted);
  try {
    await session.agents.create(agent);
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}

function given(values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).filter(([, value]) => value !== ''));
}
