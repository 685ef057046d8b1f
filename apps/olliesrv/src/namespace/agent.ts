import type { Agent } from '#agent';
import { control, data, dir, latest, message, openTo, output, queue, reservedFor, settings, stream, text, wait } from '#virtfs';
import { agentCommands } from './agent-commands.js';
import { contextDirectory, peerDirectory, processesDirectory } from './agent-parts.js';
import { itself, parent, withGivers } from './rights.js';

const LOG_BYTES = 65_536;

/** `session/{session}/agent/{agent}` (contract 2.5). */
export const agentDirectory = dir<Agent>({
  prompt: openTo(
    ['guest', parent],
    message('Queue a new turn', (agent, prompt, { client }) => agent.submit(prompt.replace(/\n$/, ''), client)),
  ),
  // Reading it takes something away.
  fifo: reservedFor<Agent>(
    [],
    queue('A prompt to add to the queue without starting a turn; a read takes the oldest out', (agent) => agent.queue),
  ),
  feed: latest('The newest value only: a read blocks until there is another', (agent) => agent.feed),
  chat: stream('Text output, streamed while a turn runs', (agent) => agent.transcript.plain),
  'chat.raw': stream('The same with block markers, and output of running calls (live=true)', (agent) => agent.transcript.raw),
  statewait: wait('Blocks until the state changes', (agent) => agent.state),
  log: output('Last 64 KiB of chat, without blocking', (agent) => agent.transcript.plain, LOG_BYTES),
  plan: openTo(
    [itself],
    data('Scratch space of the agent', (agent) => agent.plan),
  ),
  cfg: settings('Configuration, key=value; the lines of one write are taken all or none', {
    read: (agent) => agent.cfg(),
    apply: (agent, lines, { signal }) => agent.configuration.apply(lines, signal),
  }),
  ctl: control('Agent control', withGivers(agentCommands)),
  stats: text('Tokens, cost, context size, key=value', (agent) => agent.stats()),
  name: text(
    'Display name',
    (agent) => `${agent.name}\n`,
    (agent, name) => agent.givenName.change(name),
  ),
  id: text('Immutable id', (agent) => `${agent.id}\n`),
  peer: peerDirectory,
  ctx: contextDirectory,
  budget: settings('Limits that others can look at, and what is spent of them', {
    read: (agent) => agent.account.budgetText,
    apply: (agent, lines) => agent.account.limit(lines),
    mode: 0o644,
  }),
  proc: processesDirectory,
});
