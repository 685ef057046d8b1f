import { IllegalInputError, isName, OllieError } from '#model';
import { type Grammar, type KeyValues, parseKeyValues, parseLines, reachesRest } from './key-values.js';

/** What a writer of `session/new` asks for. */
export interface SessionRequest {
  readonly name: string | undefined;
  /** Absolute, or below `~`. */
  readonly cwd: string | undefined;
}

/** What a writer of `agent/new` asks for. With `prompt` it is a sub-agent: it answers and is gone. */
export interface AgentRequest {
  readonly name: string | undefined;
  /** Absolute, or below `~`. */
  readonly cwd: string | undefined;
  readonly profile: string | undefined;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  /** Name or id of an agent of the same session. */
  readonly parent: string | undefined;
  readonly maxSteps: number | undefined;
  readonly prompt: string | undefined;
}

const SESSION_GRAMMAR: Grammar = { keys: ['name', 'cwd'] };
const AGENT_GRAMMAR: Grammar = {
  keys: ['name', 'cwd', 'agent', 'profile', 'backend', 'model', 'parent', 'maxSteps', 'prompt'],
  rest: 'prompt',
};

/** Throws IllegalInputError. */
export function parseSessionRequest(text: string): SessionRequest {
  return sessionRequest(parseKeyValues(text, SESSION_GRAMMAR));
}

/** Throws IllegalInputError. */
export function parseAgentRequest(text: string): AgentRequest {
  return agentRequest(parseKeyValues(text, AGENT_GRAMMAR));
}

/** Refuses a line that cannot be part of a legal request. Throws IllegalInputError. */
export function checkSessionLine(line: string): void {
  checkLine(line, SESSION_GRAMMAR, sessionRequest);
}

/** The same for `agent/new`, and what `inspect` throws an OllieError for; true when everything behind this line is prompt. */
export function checkAgentLine(line: string, inspect: (request: AgentRequest) => void): boolean {
  checkLine(line, AGENT_GRAMMAR, (pairs) => inspect(agentRequest(pairs)));
  return reachesRest(line, AGENT_GRAMMAR);
}

/** A line alone may be a whole request or one pair of several: it is refused when it is neither. */
function checkLine(line: string, grammar: Grammar, read: (pairs: KeyValues) => unknown): void {
  try {
    read(parseLines(line, grammar));
  } catch (error) {
    if (!(error instanceof OllieError)) throw error;
    read(parseKeyValues(line, grammar));
  }
}

/** Of values that came one by one, those that say nothing left out. Throws IllegalInputError. */
export function sessionRequest(pairs: KeyValues): SessionRequest {
  return { name: nameOf(pairs), cwd: cwdOf(pairs) };
}

/** The same for an agent. */
export function agentRequest(pairs: KeyValues): AgentRequest {
  return {
    name: nameOf(pairs),
    cwd: cwdOf(pairs),
    profile: profileOf(pairs),
    backend: pairs.get('backend'),
    model: pairs.get('model'),
    parent: pairs.get('parent'),
    maxSteps: maxStepsOf(pairs),
    prompt: pairs.get('prompt'),
  };
}

function nameOf(pairs: KeyValues): string | undefined {
  const name = pairs.get('name');
  if (name !== undefined && !isName(name)) throw new IllegalInputError('name', name);
  return name;
}

/** Where the writer stands is not known here, so that a path from there would mean a place that nobody named. */
function cwdOf(pairs: KeyValues): string | undefined {
  const cwd = pairs.get('cwd');
  if (cwd !== undefined && !/^(\/|~(\/|$))/.test(cwd))
    throw new IllegalInputError('value', `cwd=${cwd}: the path must be absolute or begin with ~/`);
  return cwd;
}

/** `agent` and `profile` are two words for one thing. */
function profileOf(pairs: KeyValues): string | undefined {
  const [agent, profile] = [pairs.get('agent'), pairs.get('profile')];
  if (agent !== undefined && profile !== undefined && agent !== profile) throw new IllegalInputError('value', `profile=${profile}`);
  return profile ?? agent;
}

function maxStepsOf(pairs: KeyValues): number | undefined {
  const text = pairs.get('maxSteps');
  if (text === undefined) return undefined;
  if (!/^[0-9]{1,9}$/.test(text)) throw new IllegalInputError('value', `maxSteps=${text}`);
  return Number(text);
}
