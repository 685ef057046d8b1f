import type { Agent } from '#agent';
import { IllegalInputError, newId, NotFoundError } from '#model';
import type { OlliesrvServices } from '../olliesrv-services.js';
import { type BusInterface, method } from './bus-interface.js';
import { createSession } from './create-session.js';
import { setConfig } from './set-config.js';

export type ManagerSignal = 'SessionCreated' | 'StateChanged' | 'ChatUpdated';

/** What programs on the session bus may ask, and what they are told. */
export const sessionManager: BusInterface<OlliesrvServices, ManagerSignal> = {
  name: 'org.ollie.SessionManager',
  methods: {
    CreateSession: method(
      [{ cwd: 's', backend: 's', model: 's', agent: 's', remote: 's' }, { id: 's' }],
      async (ollie, [cwd = '', backend = '', model = '', profile = '', remote = '']) => [
        (await createSession(ollie, { cwd, backend, model, profile, remote })).id,
      ],
      { isLastOptional: true },
    ),
    Submit: method([{ id: 's', prompt: 's' }, { turn: 's' }], (ollie, [id = '', prompt = '']) => {
      if (prompt.trim() === '') throw new IllegalInputError('argument', 'empty prompt');
      firstAgent(ollie, id).submit(prompt);
      return [newId()];
    }),
    SetConfig: method([{ id: 's', key: 's', value: 's' }, {}], async (ollie, [id = '', key = '', value = '']) => {
      await setConfig(firstAgent(ollie, id), key, value);
      return [];
    }),
  },
  signals: {
    SessionCreated: { id: 's', session: 'o' },
    StateChanged: { id: 's', agent: 's', state: 's', previous: 's', action: 's' },
    ChatUpdated: { id: 's', agent: 's', offset: 't', chunk: 's' },
  },
};

/** A session stands for the agent that it had first. */
function firstAgent(ollie: OlliesrvServices, idOrName: string): Agent {
  const session = ollie.sessions.find(idOrName);
  if (!session) throw new NotFoundError('session', idOrName);
  const [agent] = session.agents.all;
  if (!agent) throw new NotFoundError('agent', `${session.name} has none`);
  return agent;
}
