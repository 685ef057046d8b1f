import type { Agent } from '#agent';
import { control, data, dir, fetched, message, openTo, output, stream, text, wait } from '#virtfs';
import { agentCommands } from './agent-commands.js';

const LOG_BYTES = 65_536;

/** `session/{session}/agent/{agent}` (contract 2.5). */
export const agentDirectory = dir<Agent>({
  prompt: openTo(
    ['guest'],
    message('Queue a new turn', (agent, prompt, { client }) => agent.submit(prompt.replace(/\n$/, ''), client)),
  ),
  chat: stream('Text output, streamed while a turn runs', (agent) => agent.transcript.plain),
  'chat.raw': stream('The same with block markers', (agent) => agent.transcript.raw),
  statewait: wait('Blocks until the state changes', (agent) => agent.state),
  log: output('Last 64 KiB of chat, without blocking', (agent) => agent.transcript.plain, LOG_BYTES),
  plan: data('Scratch space of the agent', (agent) => agent.plan),
  cfg: text('Configuration, key=value', (agent) => agent.cfg()),
  ctl: control('Agent control', agentCommands),
  stats: text('Tokens, cost, context size, key=value', (agent) => agent.stats()),
  name: text('Display name', (agent) => `${agent.name}\n`),
  id: text('Immutable id', (agent) => `${agent.id}\n`),
  proc: dir<Agent>({
    top: fetched('Background processes: PID, TOOL, CMD', (agent, { signal }) => agent.processTable(signal)),
  }),
});
