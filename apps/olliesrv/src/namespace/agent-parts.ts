import { type Agent, messageText, type Peer } from '#agent';
import { type BackgroundProcess, type Message, NotFoundError } from '#model';
import { type Children, dir, dirOf, fetched, message, openTo, remoteBytes, text } from '#virtfs';
import { sender } from './rights.js';

const peers: Children<Agent, Peer> = {
  label: '{other}',
  entries: (agent) => agent.peers.entries(),
  find: (agent, name) => {
    const peer = agent.peers.find(name);
    if (!peer) throw new NotFoundError('agent', name);
    return peer;
  },
};

/** `peer/{other}`: the other agents of the session. */
export const peerDirectory = dirOf<Agent, Peer>(
  {},
  peers,
  openTo(
    [sender],
    message('Give this other agent of the session a turn', (peer, words) => peer.send(words.replace(/\n$/, ''))),
  ),
);

const messages: Children<Agent, Message> = {
  label: '{number}',
  entries: (agent) => agent.context.entries(),
  find: (agent, name) => agent.context.find(name),
};

/** `ctx/`: what the model is sent, one file a message. */
export const contextDirectory = dirOf<Agent, Message>(
  { idx: text('Messages: number, role, tier, tokens, label', (agent) => agent.context.index()) },
  messages,
  text('One message in full', (one) => messageText(one)),
);

const processes: Children<Agent, BackgroundProcess> = {
  label: '{pid}',
  entries: (agent) => agent.processes.entries(),
  find: (agent, name) => agent.processes.find(name),
};

/** `proc/`: what the agent has started in the background. */
export const processesDirectory = dirOf<Agent, BackgroundProcess>(
  { top: fetched('Background processes: PID, TOOL, CMD', (agent, { signal }) => agent.processTable(signal)) },
  processes,
  dir<BackgroundProcess>({
    out: remoteBytes('Output of the process, stdout and stderr as they came', {
      read: (process, range, { signal }) => process.output(range, signal),
      length: (process, signal) => process.outputLength(signal),
    }),
    stat: fetched('State, runtime, tool and more, key=value', (process, { signal }) => process.stat(signal)),
  }),
);
