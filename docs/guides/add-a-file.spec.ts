import { DataBuffer, MemoryClient, dir, mount, text } from '#virtfs';

interface PlanOwner {
  readonly plan: DataBuffer;
}

/** The unchecked items of a plan, one a line, without their boxes. */
export function uncheckedItems(plan: string): string {
  return plan
    .split('\n')
    .filter((line) => line.startsWith('- [ ] '))
    .map((line) => `${line.slice('- [ ] '.length)}\n`)
    .join('');
}

const agentDirectory = dir<PlanOwner>({
  todo: text('Unchecked items of the plan', (agent: PlanOwner) => uncheckedItems(agent.plan.text)),
});

describe('guide: add a file', () => {
  it('serves the unchecked items of the plan', async () => {
    const plan = new DataBuffer(1024);
    plan.replace(new TextEncoder().encode('- [x] read\n- [ ] mend\n- [ ] test\n'), 'someone');
    const client = new MemoryClient(mount(agentDirectory, { plan }));
    expect(await client.ls('/')).toEqual(['todo']);
    expect(await client.read('todo')).toBe('mend\ntest\n');
  });
});
