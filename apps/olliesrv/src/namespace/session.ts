import type { Agent } from '#agent';
import type { Session } from '#session';
import { ask, type Children, command, control, dir, dirOf, text } from '#virtfs';
import { agentDirectory } from './agent.js';

const agents: Children<Session, Agent> = {
  label: '{agent}',
  entries: (session) => session.agents.entries(),
  find: (session, name) => session.agents.find(name),
  remove: (session, agent) => session.agents.kill(agent),
};

/** `session/{session}` (contract 2.3 and 2.4). */
export const sessionDirectory = dir<Session>({
  env: text('OLLIE_* environment of the session', (session) => session.env()),
  paused: text('true or false', (session) => `${String(session.isPaused)}\n`),
  ctl: control('Session control', {
    kill: command<Session>('end the session', (session) => session.close()),
  }),
  name: text('Session name', (session) => `${session.name}\n`),
  id: text('Immutable id', (session) => `${session.id}\n`),
  agent: dirOf<Session, Agent>(
    {
      new: ask(
        'Create an agent, read its id; with prompt=: run it, read the reply',
        (session, request, { signal }) => session.agents.answer(request, signal),
        {
          usage: ['name=X cwd=Y agent=PROFILE backend=B model=M parent=A maxSteps=N prompt=TEXT'],
          check: (session, line) => session.agents.checkLine(line),
          onUnread: (session, error) => session.agents.reportUnread(error),
        },
      ),
      idx: text('Agents: name, id, state, profile, backend, model, cwd', (session) => session.agents.index()),
    },
    agents,
    agentDirectory,
  ),
});
