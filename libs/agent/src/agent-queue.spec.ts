import { AgentBench, fakeCall } from '#testkit';

const job = { job: { info: { background: true } } };

describe('AgentQueue', () => {
  it('lets an idle agent be idle, and drains before the next prompt', async () => {
    const bench = new AgentBench();
    for (const text of ['one\n', 'two\nlines', '  ']) bench.agent.queue.push(text);
    expect(bench.agent.queue.lines()).toBe('1\tuser\tone\n2\tuser\ttwo\\nlines\n');
    expect(bench.agent.state.value).toBe('idle');
    await bench.prompt('three');
    expect(bench.lines.filter((line) => line.startsWith('user: '))).toEqual(['user: one', 'user: two', 'user: three']);
  });

  it('does not start when a pause ends, nor when a waiting prompt is taken back', async () => {
    const bench = new AgentBench();
    bench.agent.hold(true);
    bench.agent.queue.push('one');
    bench.agent.queue.push('two');
    expect(bench.agent.state.value).toBe('idle');
    bench.agent.hold(false);
    expect(bench.agent.queue.pop()).toBe('one');
    await Promise.resolve();
    expect(bench.backend.requests).toEqual([]);
  });

  it('drains with the turn that tells the end of a process, and never gives that turn away', async () => {
    const bench = new AgentBench({ tools: job, answers: [{ calls: [fakeCall('c1', 'job', { background: true })] }, { text: 'started' }] });
    await bench.prompt('start it');
    bench.agent.queue.push('waiting');
    const [process] = [...bench.host.servers.values()].flatMap((server) => server.started);
    bench.agent.hold(true);
    process?.end();
    await bench.agent.state.until((state) => state === 'paused', new AbortController().signal);
    expect(bench.agent.queue.lines()).toMatch(/^1\tuser\twaiting\n2\tproc\t<system-proc-complete /);
    bench.agent.queue.clear();
    expect(bench.agent.queue.lines()).toMatch(/^1\tproc\t<system-proc-complete [^\n]*\n$/);
    expect(bench.agent.queue.pop()).toBeUndefined();
    bench.agent.hold(false);
    await bench.idle();
    expect(bench.lines.filter((line) => line.startsWith('user: '))).toHaveLength(2);
  });

  it('takes nothing for an agent that is gone', async () => {
    const bench = new AgentBench();
    await bench.agent.kill();
    for (const write of [() => bench.agent.queue.push('x'), () => bench.agent.inject('x'), () => bench.agent.receive('x')])
      expect(write).toThrow(/^no such agent: /);
  });
});
