import type { Agent } from '#agent';
import { command, openCommandTo } from '#virtfs';
import { toolLines } from './lines.js';

/** What an agent's `ctl` understands (contract 2.6). */
export const agentCommands = {
  stop: openCommandTo(
    ['guest'],
    command<Agent>('interrupt the running turn', (agent) => agent.stop()),
  ),
  kill: command<Agent>('remove the agent', (agent) => agent.kill()),
  tools: command<Agent>('list the loaded tools', async (agent, _argument, { signal }) => toolLines(await agent.tools(signal))),
};
