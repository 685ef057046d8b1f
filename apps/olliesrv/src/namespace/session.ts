import type { Agent } from '#agent';
import type { Session } from '#session';
import { ask, type Children, type Client, command, control, dir, dirOf, openTo, reservedFor, text } from '#virtfs';
import { agentDirectory } from './agent.js';
import { member } from './rights.js';

const agents: Children<Session, Agent> = {
  label: '{agent}',
  nameOf: (agent) => agent.name,
  entries: (session) => session.agents.entries(),
  find: (session, name) => session.agents.find(name),
  remove: (session, agent) => session.agents.kill(agent),
  rename: (_session, agent, name) => agent.givenName.change(name),
};

/** `session/{session}` (contract 2.3 and 2.4). */
export const sessionDirectory = reservedFor(
  ['guest', member],
  dir<Session>({
    env: text('OLLIE_* environment of the session', (session) => session.env()),
    paused: text('true or false', (session) => `${String(session.isPaused)}\n`),
    ctl: control('Session control', {
      kill: command<Session>('end the session', (session) => session.close()),
      save: command<Session>('write snapshots of all that is kept', (session) => session.save()),
      invalidate: command<Session>('drop cached models, profiles and tools', (session) => session.invalidate()),
      pause: command<Session>('start no new turn; queues fill', (session) => session.pause()),
      resume: command<Session>('start turns again', (session) => session.resume()),
    }),
    name: text(
      'Session name',
      (session) => `${session.name}\n`,
      (session, name) => session.givenName.change(name),
    ),
    id: text('Immutable id', (session) => `${session.id}\n`),
    agent: dirOf<Session, Agent>(
      {
        new: openTo(
          [member],
          ask(
            'Create an agent, read its id; with prompt=: run it, read the reply',
            (session, request, { signal, client }) => session.agents.answer(request, signal, askerIn(session, client)),
            {
              usage: ['name=X cwd=Y agent=PROFILE backend=B model=M parent=A maxSteps=N prompt=TEXT'],
              check: (session, line) => session.agents.checkLine(line),
              onUnread: (session, error) => session.agents.reportUnread(error),
            },
          ),
        ),
        idx: text('Agents: name, id, state, profile, backend, model, cwd', (session) => session.agents.index()),
      },
      agents,
      agentDirectory,
    ),
  }),
);

/** Who asks, if that is one of the agents. */
function askerIn(session: Session, { role, uname }: Client): Agent | undefined {
  return role === 'agent' ? session.agents.find(uname) : undefined;
}
