import type { Agent } from '#agent';
import { IllegalInputError } from '#model';
import { command } from '#virtfs';

/** `queue` and what may follow it. */
export const queueCommand = command<Agent>(
  'prompts that wait: list, take the oldest out, or take all out',
  (agent, argument) => {
    switch (argument) {
      case '':
        return agent.queue.lines();
      case 'pop':
        return agent.queue.pop() ?? '';
      case 'clear':
        return agent.queue.clear();
      default:
        throw new IllegalInputError('argument', `queue ${argument}`);
    }
  },
  '[pop | clear]',
);
