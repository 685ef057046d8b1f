import type { Agent, Peer } from '#agent';
import type { Session } from '#session';
import { type CommandTable, type ConditionalGrant, type Grant, openCommandTo } from '#virtfs';

/** The agent itself. Its uname is its id: its door has seen to that. */
export const itself: ConditionalGrant<Agent> = { role: 'agent', when: (agent, { uname }) => agent.id === uname };

/** The agent that made it. */
export const parent: ConditionalGrant<Agent> = { role: 'agent', when: (agent, { uname }) => agent.identity.parentId === uname };

/** The agent from whom the message comes. */
export const sender: ConditionalGrant<Peer> = { role: 'agent', when: ({ from }, { uname }) => from.id === uname };

/** The agents of a session. */
export const member: ConditionalGrant<Session> = { role: 'agent', when: (session, { uname }) => session.agents.find(uname)?.id === uname };

/**
 * Who beside the owner may give which command of an agent's `ctl`. What decides where, as whom and at whose cost
 * an agent works (`cwd`, `agent`, `model`, `name`) is the owner's alone.
 */
const GIVERS: Readonly<Record<string, readonly Grant<Agent>[]>> = {
  stop: ['guest', parent],
  kill: [parent],
  ask: [itself],
  clear: [parent],
  inject: [parent],
  i: [parent],
  irw: [parent],
  tools: [itself, parent],
  tool_load: [itself, parent],
  tool_unload: [itself, parent],
  proc: [itself, parent],
  usage: [itself, parent],
  cost: [itself, parent],
  queue: [parent],
  history: [parent],
};

/** The commands, open to others as far as they may give them. */
export function withGivers(commands: CommandTable<Agent>): CommandTable<Agent> {
  const opened = Object.entries(commands).map(([word, command]) => [word, openCommandTo(GIVERS[word] ?? [], command)] as const);
  return Object.fromEntries(opened);
}
