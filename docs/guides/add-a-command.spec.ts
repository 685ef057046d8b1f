import { IllegalInputError } from '#model';
import { command, control, DataBuffer, dir, MemoryClient, mount } from '#virtfs';

interface PlanOwner {
  readonly plan: DataBuffer;
}

/** How many items of a plan are open, or done. */
export function countItems(plan: string, areDone: boolean): number {
  const box = areDone ? '- [x] ' : '- [ ] ';
  return plan.split('\n').filter((line) => line.startsWith(box)).length;
}

/** The argument, when it is one of those that there are. Throws IllegalInputError for any other. */
function demandOneOf(argument: string, ...allowed: readonly string[]): string {
  if (!allowed.includes(argument)) throw new IllegalInputError('argument', argument);
  return argument;
}

const agentCommands = {
  todo: command<PlanOwner>(
    'tell how many items of the plan are open, or done',
    (agent, argument) => String(countItems(agent.plan.text, demandOneOf(argument, '', 'done') === 'done')),
    '[done]',
  ),
};

describe('guide: add a command', () => {
  const plan = new DataBuffer(1024);
  plan.replace('- [x] read\n- [ ] mend\n- [ ] test\n', 'someone');
  const client = new MemoryClient(mount(dir<PlanOwner>({ ctl: control('Agent control', agentCommands) }), { plan }));

  it('answers, one line a command', async () => {
    expect(await client.ask('ctl', 'todo\ntodo done\n')).toBe('2\n1\n');
  });

  it('says what is no argument of it', async () => {
    await expect(client.ask('ctl', 'todo later\n')).rejects.toThrow('illegal argument: later');
  });

  it('is in the help', async () => {
    expect(await client.read('ctl')).toBe('todo [done]\ttell how many items of the plan are open, or done\nhelp\tList these commands\n');
  });
});
