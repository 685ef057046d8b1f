import { isObject, type JsonObject, parseObject } from './parse-object.js';

/** The newest form of a session file. */
const VERSION = 1;

/** What an index says about an agent without its history being read. `undefined`: the default. */
export interface AgentRecord {
  readonly id: string;
  readonly name: string;
  readonly profile: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly maxSteps: number | undefined;
  readonly cwd: string;
  readonly parent: string | undefined;
  readonly depth: number;
  /** Other settings, by their names in `cfg`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** A session and its agents, as its file says. */
export interface SessionRecord {
  readonly id: string;
  readonly name: string;
  readonly cwd: string;
  readonly remote: string | undefined;
  readonly paused: boolean;
  readonly created: number;
  readonly agents: readonly AgentRecord[];
  /** No process of it has a number above this. */
  readonly lastProcess: number;
}

/** The text of a session file. */
export function sessionText({ id, name, remote, paused, agents, created, cwd, lastProcess }: SessionRecord): string {
  return `${JSON.stringify({ version: VERSION, id, name, remote: remote ?? null, paused, agents, created, cwd, lastProcess })}\n`;
}

/** Reads a session file of this or an older form; a text says why it cannot be used. */
export function parseSession(text: string): SessionRecord | string {
  const file = parseObject(text);
  if (file === undefined) return 'it is no JSON object';
  const { version = 0, id, name, cwd, agents } = file;
  if (typeof version !== 'number' || version > VERSION) return `a newer Ollie wrote it (version ${JSON.stringify(version)})`;
  if (typeof id !== 'string' || typeof name !== 'string' || !Array.isArray(agents)) return 'id, name or agents is missing';
  return {
    id,
    name,
    cwd: textOf(cwd) ?? '/',
    remote: textOf(file.remote),
    paused: file.paused === true,
    created: numberOf(file.created) ?? createdOf(id),
    agents: agents.map(agentObject).flatMap((agent) => agentOf(agent, textOf(cwd) ?? '/') ?? []),
    lastProcess: numberOf(file.lastProcess) ?? 0,
  };
}

/** Version 0 named agents by their ids alone. */
function agentObject(agent: JsonObject[string]): JsonObject {
  if (typeof agent === 'string') return { id: agent };
  return isObject(agent) ? agent : {};
}

function agentOf(agent: JsonObject, sessionCwd: string): AgentRecord | undefined {
  const id = textOf(agent.id);
  if (id === undefined) return undefined;
  return {
    id,
    name: textOf(agent.name) ?? id,
    profile: textOf(agent.profile) ?? 'default',
    backend: textOf(agent.backend),
    model: textOf(agent.model),
    maxSteps: numberOf(agent.maxSteps),
    cwd: textOf(agent.cwd) ?? sessionCwd,
    parent: textOf(agent.parent),
    depth: numberOf(agent.depth) ?? 0,
    settings: textsOf(agent.settings),
    created: numberOf(agent.created) ?? createdOf(id),
  };
}

function textOf(value: JsonObject[string] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function textsOf(value: JsonObject[string] | undefined): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).flatMap(([key, text]) => (typeof text === 'string' ? [[key, text]] : [])));
}

function numberOf(value: JsonObject[string] | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Ids begin with their time, in nanoseconds (19 digits) or, in older ones, milliseconds (13). */
function createdOf(id: string): number {
  return Number(id.slice(0, 13)) || 0;
}
