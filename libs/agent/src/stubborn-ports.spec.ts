import { setImmediate } from 'node:timers/promises';
import { silentLog, type Log } from '#config';
import { PartnerError, textResult, TransientError, type ToolCall, type ToolResult } from '#model';
import { AgentBench, FakeBackend, FakeClock, fakeCall, rolesOf } from '#testkit';

const never = new AbortController().signal;

/** Reached by the agent's first connect; `during` is called when its first tool is about to be loaded. */
function watchLoading(bench: AgentBench, during: () => void): void {
  const connect = bench.host.connect.bind(bench.host);
  bench.host.connect = async (id, signal) => {
    const server = await connect(id, signal);
    server.load = (_tool, aborted) => {
      during();
      return new Promise((_resolve, reject) => {
        aborted.addEventListener('abort', () => reject(aborted.reason));
      });
    };
    return server;
  };
}

describe('a kill', () => {
  it('waits some seconds for tools to acknowledge, then hangs up on them', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock, tools: { shell: {} }, answers: [{ calls: [fakeCall('1', 'shell')] }] });
    await bench.agent.tools(never);
    const server = bench.host.servers.get(bench.agent.id);
    if (server === undefined) throw new Error('no tool server');
    const hangUp = server.close.bind(server);
    const frozen = new Promise<ToolResult>((_resolve, reject) => {
      server.close = async () => {
        await hangUp();
        reject(new PartnerError('toolsrv: connection lost'));
      };
    });
    const called = new Promise<void>((resolve) => {
      server.call = () => {
        resolve();
        return frozen;
      };
    });
    bench.agent.submit('go');
    await called;
    const killed = bench.agent.kill();
    while (clock.sleeping === 0) await setImmediate();
    expect([bench.agent.state.value, server.closed]).toEqual(['running', false]);
    clock.advance(5_000);
    await killed;
    expect([bench.agent.state.value, server.closed]).toEqual(['killed', true]);
    expect(bench.chat).toMatch(/<- shell 1 lines error\n:: interrupted\n$/);
  });

  it('leaves no sleeper behind when the tools acknowledge', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock });
    bench.agent.submit('go');
    await bench.agent.kill();
    expect(clock.sleeping).toBe(0);
  });

  it('hangs up a tool server whose tools are still being loaded', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    const loading = new Promise<void>((resolve) => watchLoading(bench, resolve));
    bench.agent.submit('go');
    await loading;
    await bench.agent.kill();
    expect(bench.host.servers.get(bench.agent.id)?.closed).toBe(true);
  });
});

describe('a port that fails', () => {
  it('while tools are loaded costs its connection, and the next need makes another', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    const connect = bench.host.connect.bind(bench.host);
    bench.host.connect = async (id, signal) => {
      const server = await connect(id, signal);
      server.load = () => Promise.reject(new PartnerError('toolsrv: full'));
      bench.host.connect = connect;
      return server;
    };
    await expect(bench.agent.tools(never)).rejects.toThrow('toolsrv: full');
    expect(bench.host.servers.get(bench.agent.id)?.closed).toBe(true);
    await expect(bench.agent.tools(never)).resolves.toHaveLength(1);
    expect(bench.host.servers.get(bench.agent.id)?.closed).toBe(false);
  });

  it('before a turn has begun ends that turn, and the agent takes the next prompt', async () => {
    const clock = new FakeClock();
    const bench = new AgentBench({ clock });
    const now = clock.now.bind(clock);
    clock.now = () => {
      clock.now = now;
      throw new Error('no time');
    };
    await bench.prompt('a');
    expect(bench.lines.at(-1)).toBe('error: internal error: no time');
    await bench.prompt('b');
    expect(bench.lines.at(-1)).toBe('done');
  });

  it('with a bug after an abort is reported, though the turn counts as interrupted', async () => {
    const errors: string[] = [];
    const log: Log = { ...silentLog, error: (text) => void errors.push(text) };
    const backend = new FakeBackend();
    backend.stream = async function* (_request, signal) {
      yield { type: 'text', text: 'x' };
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      throw new TypeError('x is not a function');
    };
    const bench = new AgentBench({ backends: [backend], log });
    bench.agent.submit('go');
    while (!bench.chat.includes('x')) await setImmediate();
    await bench.agent.stop();
    expect(bench.lines.at(-1)).toBe(':: interrupted');
    expect(errors).toEqual([expect.stringContaining('x is not a function')]);
  });

  it('to wait for a retry ends the turn', async () => {
    const clock = new FakeClock();
    clock.sleep = () => Promise.reject(new Error('no time'));
    const bench = new AgentBench({ clock, answers: [{ fails: new TransientError('t', { backend: 'fake' }) }] });
    await bench.prompt('go');
    expect(bench.lines.at(-1)).toBe('error: internal error: no time');
  });

  it('to hang up makes a kill reject only for a bug', async () => {
    const [lost, bug] = [new PartnerError('toolsrv: gone'), new TypeError('x is not a function')];
    const kills = [lost, bug].map(async (error) => {
      const bench = new AgentBench({ tools: { shell: {} } });
      await bench.agent.tools(never);
      for (const server of bench.host.servers.values()) server.close = () => Promise.reject(error);
      await bench.agent.kill();
    });
    expect((await Promise.allSettled(kills)).map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  });

  it('beside reads that finished leaves their results', async () => {
    const bench = new AgentBench({
      tools: {
        bug: { info: { parallel: 'read' }, run: () => Promise.reject(new RangeError('bug')) },
        read: { info: { parallel: 'read' }, run: () => textResult('found') },
      },
      answers: [{ calls: [fakeCall('1', 'bug'), fakeCall('2', 'read')] }],
    });
    await bench.prompt('go');
    expect(bench.lines.at(-1)).toBe('error: internal error: bug');
    expect(bench.blocks().find(({ attributes }) => attributes.call === '2' && attributes.tier)?.content).toBe('found');
  });
});

describe('an answer', () => {
  it('whose arguments are nested without end is answered and sent back like any other', async () => {
    const levels = 50_000;
    const deep = (id: string): ToolCall => ({ ...fakeCall(id, 'magic'), arguments: nested(levels), rawArguments: '{"a":...}' });
    const bench = new AgentBench({ tools: { shell: {} }, answers: [{ calls: [deep('1'), deep('2')] }] });
    await bench.prompt('go');
    expect(bench.lines.at(-1)).toBe('done');
    expect(rolesOf(bench.backend.requests[1]?.messages)).toEqual(['user', 'assistant', 'tool', 'tool']);
  });

  it('that broke off is kept when the wait for the next attempt is interrupted', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock, answers: [{ text: 'Once upon', fails: new TransientError('t', { backend: 'fake' }) }] });
    bench.agent.submit('tell');
    while (clock.sleeping === 0) await setImmediate();
    await bench.agent.stop();
    await bench.prompt('go on');
    expect(rolesOf(bench.backend.requests[1]?.messages)).toEqual(['user', 'assistant', 'user']);
  });
});

function nested(levels: number): ToolCall['arguments'] {
  let value: ToolCall['arguments'] = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
}
