import type { Agent } from '#agent';
import { escapeField, IllegalInputError, ReadOnlyError } from '#model';
import { command } from '#virtfs';
import { toolLines } from './lines.js';
import { procCommand } from './proc-command.js';
import { queueCommand } from './queue-command.js';

/** What an agent's `ctl` understands (contract 2.6). */
export const agentCommands = {
  stop: command<Agent>('interrupt the running turn', (agent) => agent.stop()),
  clear: command<Agent>('forget the conversation', (agent) => agent.clear()),
  kill: command<Agent>('remove the agent', (agent) => agent.kill()),
  inject: command<Agent>('tell the running turn, with its next tool result', (agent, text) => agent.inject(withNewlines(text)), '<text>'),
  i: command<Agent>('the same', (agent, text) => agent.inject(withNewlines(text)), '<text>'),
  irw: command<Agent>('the same, in the place of what still waits', (agent, text) => agent.rewrite(withNewlines(text)), '<text>'),
  agent: command<Agent>('tell the profile', (agent, argument) => unless(argument, 'agent', agent.profileName)),
  model: command<Agent>(
    'tell the model, or take another from the next request on',
    (agent, model, { signal }) => (model === '' ? agent.modelName : agent.configuration.apply([pair('model', model)], signal)),
    '[model]',
  ),
  models: command<Agent>('list the models of the backend', (agent, _argument, { signal }) => agent.configuration.modelLines(signal)),
  backend: command<Agent>('tell the backend', (agent, argument) => {
    if (argument !== '') throw new ReadOnlyError('backend');
    return agent.backendName;
  }),
  name: command<Agent>(
    'tell the name, or take another',
    (agent, name) => (name === '' ? agent.name : agent.givenName.change(name)),
    '[name]',
  ),
  cwd: command<Agent>(
    'tell the working directory, or take another',
    (agent, path, { signal }) => (path === '' ? agent.cwd : agent.configuration.apply([pair('cwd', path)], signal)),
    '[path]',
  ),
  ask: command<Agent>(
    'put a question before the user, and wait for the answer',
    (agent, text, { signal }) => agent.ask(text, signal),
    '<text>',
  ),
  tools: command<Agent>('list the loaded tools', async (agent, _argument, { signal }) => toolLines(await agent.tools(signal))),
  tool_load: command<Agent>('load a tool', (agent, tool, { signal }) => agent.hands.load(tool, signal), '<tool>'),
  tool_unload: command<Agent>('unload a tool', (agent, tool, { signal }) => agent.hands.unload(tool, signal), '<tool>'),
  proc: procCommand,
  systemprompt: command<Agent>('show the system message', (agent) => agent.systemPrompt),
  usage: command<Agent>('tokens so far', (agent) => agent.account.usageLine),
  cost: command<Agent>('cost of the last turn and of all', (agent) => agent.account.costLine),
  queue: queueCommand,
  agents: command<Agent>('list the profiles', (agent) => agent.configuration.profileLines()),
  sessions: command<Agent>('list the sessions, as session/idx', (agent) => agent.sessions),
  history: command<Agent>('list the messages, as ctx/idx', (agent) => agent.context.index()),
};

/** A command is one line, so that a newline in its text is written `\n`. */
function withNewlines(text: string): string {
  return text.replaceAll('\\n', '\n');
}

function pair(key: string, value: string): string {
  return `${key}=${escapeField(value)}`;
}

function unless(argument: string, word: string, answer: string): string {
  if (argument !== '') throw new IllegalInputError('argument', `${word} ${argument}`);
  return answer;
}
