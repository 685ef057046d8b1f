import type { Agent } from '#agent';
import { escapeField, IllegalInputError, TimedOutError } from '#model';

/** A backend may be asked for its models, and callers on the bus give up after 25 s. */
const LIMIT_MS = 5_000;
const KEY = /^[A-Za-z]\w*$/;

/** The same as the line `key=value` written to the agent's `cfg`, and refused for the same reasons. */
export async function setConfig(agent: Agent, key: string, value: string): Promise<void> {
  if (!KEY.test(key)) throw new IllegalInputError('key', key);
  const limit = AbortSignal.timeout(LIMIT_MS);
  try {
    await agent.configuration.apply([`${key}=${escapeField(value)}`], limit);
  } catch (error) {
    if (limit.aborted) throw new TimedOutError(`${key}: the backend does not answer`);
    throw error;
  }
}
