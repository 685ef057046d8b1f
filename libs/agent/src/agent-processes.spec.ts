import { FakeProcess } from '#testkit';
import { AgentProcesses } from './agent-processes.js';

const NEVER = new AbortController().signal;
const process = (pid: number) => new FakeProcess(pid, NEVER);

describe('AgentProcesses', () => {
  it('lists what was started and finds what was followed', () => {
    const all = new AgentProcesses();
    all.add(process(2));
    all.addFollowed(process(3));
    expect([...all.entries()].map(([name]) => name)).toEqual(['2']);
    expect([all.find('2')?.pid, all.find('3')?.pid, all.find('4')]).toEqual([2, 3, undefined]);
    expect([all.knows(3), all.knows(4)]).toEqual([true, false]);
    expect(() => all.get('3')).toThrow('no such process: 3');
  });

  it('keeps the newest 256', () => {
    const all = new AgentProcesses();
    for (let pid = 1; pid <= 300; pid += 1) all.add(process(pid));
    expect([...all.entries()]).toHaveLength(256);
    expect([all.knows(44), all.knows(45)]).toEqual([false, true]);
  });

  it('knows no process any more that was dismissed', async () => {
    const all = new AgentProcesses();
    const one = process(1);
    all.add(one);
    await expect(all.order('1', 'dismiss', NEVER)).rejects.toThrow('process is busy: still running');
    expect(all.knows(1)).toBe(true);
    one.end();
    await all.order('1', 'dismiss', NEVER);
    expect(all.knows(1)).toBe(false);
    await expect(all.order('1', 'term', NEVER)).rejects.toThrow('no such process: 1');
  });
});
