import type { Agent } from '#agent';
import { IllegalInputError, NotFoundError, type ToolProcessInfo } from '#model';
import { command } from '#virtfs';
import { lines } from './lines.js';

const PIECE_BYTES = 1024 * 1024;

/** `proc` and what may follow it: the processes that an agent has started in the background. */
export const procCommand = command<Agent>(
  'background processes: list, or show, end, forget one',
  async (agent, argument, { signal }) => {
    const [word = '', pid = '', ...rest] = argument.split(/\s+/);
    if (word === '') return processLines(await agent.processInfos(signal));
    if (word === 'top' && pid === '') return agent.processTable(signal);
    if (rest.length > 0 || !/^[1-9]\d{0,14}$/.test(pid)) throw new IllegalInputError('argument', `proc ${argument}`);
    switch (word) {
      case 'term':
      case 'kill':
      case 'dismiss':
        return agent.processes.order(pid, word, signal);
      case 'out':
        return outputOf(agent, pid, signal);
      default:
        throw new IllegalInputError('argument', `proc ${argument}`);
    }
  },
  '[top | out <pid> | term <pid> | kill <pid> | dismiss <pid>]',
);

function processLines(processes: readonly ToolProcessInfo[]): string {
  return lines(processes.map(({ pid, state, tool }) => `${String(pid)}\t${state}\t${tool}`));
}

async function outputOf(agent: Agent, pid: string, signal: AbortSignal): Promise<string> {
  const process = agent.processes.find(pid);
  if (!process) throw new NotFoundError('process', pid);
  const pieces: Uint8Array[] = [];
  let offset = 0;
  for (;;) {
    const piece = await process.output({ offset, count: PIECE_BYTES }, signal);
    if (piece.length === 0) return Buffer.concat(pieces).toString('utf8');
    pieces.push(piece);
    offset += piece.length;
  }
}
