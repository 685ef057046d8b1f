import type { Agent } from '#agent';
import { checkSessionLine, type Session } from '#session';
import {
  ask,
  type Children,
  type Client,
  command,
  control,
  dir,
  dirOf,
  type DirSpec,
  fetched,
  lineStream,
  openTo,
  renderReference,
  reservedFor,
  text,
  wait,
} from '#virtfs';
import { generate } from '../generate.js';
import type { OlliesrvServices } from '../olliesrv-services.js';
import { approvalsDirectory } from './approvals.js';
import { catalogLines, lines, modelLines } from './lines.js';
import { member } from './rights.js';
import { sessionDirectory } from './session.js';

const sessions: Children<OlliesrvServices, Session> = {
  label: '{session}',
  nameOf: (session) => session.name,
  entries: (ollie) => ollie.sessions.entries(),
  find: (ollie, name) => ollie.sessions.find(name),
  remove: (_ollie, session) => session.close(),
  rename: (_ollie, session, name) => session.givenName.change(name),
};

/** The whole namespace of olliesrv (contract 2.1 and 2.2). */
export const olliesrvNamespace: DirSpec<OlliesrvServices> = dir<OlliesrvServices>(
  {
    backends: text('Configured backends, one per line', (ollie) => lines(ollie.backends.names())),
    models: fetched('Models: backend<tab>model', async (ollie, { signal }) => modelLines(await ollie.backends.models(signal))),
    agents: text('Agent profiles, one per line', (ollie) => lines(ollie.profiles.names())),
    tools: fetched('Tools: name<spaces>description', async (ollie, { signal }) => catalogLines(await ollie.tools.catalog(signal))),
    help: text('This reference', () => renderReference(olliesrvNamespace, 'text')),
    ctl: control('Server control', {
      invalidate: command<OlliesrvServices>('drop cached models, profiles and tools', (ollie) => ollie.server.invalidate()),
      kill: command<OlliesrvServices>('stop the server in order', (ollie) => ollie.server.stop()),
      trust: command<OlliesrvServices>(
        'let the .ollie-sandbox.yaml of a project, as it is now, widen the policy',
        (ollie, path) => ollie.server.trust(path),
        '<path>',
      ),
    }),
    generate: openTo(
      ['agent'],
      ask(
        'One-shot generation: write a prompt (text or JSON), read the answer',
        (ollie, request, { signal, client }) => generate(ollie.backends, request, signal, askingAgent(ollie, client)?.account),
        {
          usage: ['TEXT', '{"prompt":TEXT,"backend":B,"model":M,"system":TEXT,"maxTokens":N,"temperature":T}'],
        },
      ),
    ),
    eventwait: reservedFor<OlliesrvServices>(
      ['guest'],
      wait('Blocks until something happens: events as JSON lines', (ollie) => ollie.events.ring),
    ),
    events: reservedFor<OlliesrvServices>(
      ['guest'],
      lineStream('The same as a log; blocks at its end', (ollie) => ollie.events.log),
    ),
    approvals: approvalsDirectory,
    aliases: text('Ids: id<tab>path', (ollie, { client }) => ollie.sessions.aliases(shownTo(client))),
    session: dirOf<OlliesrvServices, Session>(
      {
        new: ask('Create a session, read its name', (ollie, request) => ollie.sessions.answer(request), {
          usage: ['name=X cwd=Y'],
          check: (_ollie, line) => checkSessionLine(line),
        }),
        idx: text('Sessions: name, id, state, agents, remote', (ollie, { client }) => ollie.sessions.index(shownTo(client))),
      },
      sessions,
      sessionDirectory,
    ),
  },
  { about: 'Sessions, agents, models', aliases: { s: 'session' } },
);

/** Whose door the client has come by. */
function askingAgent(ollie: OlliesrvServices, client: Client): Agent | undefined {
  if (client.role !== member.role) return undefined;
  return ollie.sessions.all.find((session) => member.when(session, client))?.agents.find(client.uname);
}

/** An agent is told of its own session. */
function shownTo(client: Client): (session: Session) => boolean {
  return (session) => client.role !== member.role || member.when(session, client);
}
