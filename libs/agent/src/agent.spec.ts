import { getEventListeners } from 'node:events';
import { InterruptedError, NotFoundError, PartnerError, TransientError, type ToolResult } from '#model';
import { AgentBench, FakeBackend, FakeClock, fakeCall, type BenchOptions, textOf } from '#testkit';
import type { Client } from '#virtfs';

const never = new AbortController().signal;
const shell: Client = { role: 'user', uname: 'u', aname: '', tag: '100.1', leader: '100' };
const sibling: Client = { role: 'user', uname: 'u', aname: '', tag: '100.2', leader: '100' };

/** A bench whose first call runs until it is aborted; `running` resolves when it has begun. */
function hanging(options: BenchOptions = {}): { bench: AgentBench; running: Promise<void> } {
  let begin = (): void => undefined;
  const running = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const hang = () => {
    begin();
    return new Promise<ToolResult>(() => undefined);
  };
  const tools = { sleep: { run: hang }, shell: {} };
  const bench = new AgentBench({ tools, answers: [{ text: 'So:', calls: [fakeCall('1', 'sleep'), fakeCall('2', 'shell')] }], ...options });
  return { bench, running };
}

async function read(bench: AgentBench, offset: number): Promise<string> {
  return Buffer.from(await bench.agent.transcript.plain.at(offset, 1000, { signal: never })).toString();
}

describe('submit', () => {
  it('has started the turn when it returns, with the transcript held', async () => {
    const bench = new AgentBench();
    bench.agent.submit('hi');
    expect(bench.agent.state.value).toBe('running');
    expect(bench.chat).toBe('user: hi\n');
    const rest = read(bench, bench.chat.length);
    await expect(rest).resolves.toBe('done');
    await bench.idle();
    await expect(read(bench, bench.chat.length)).resolves.toBe('');
  });

  it('has the tool server begin to start, if the turn is to ask it', async () => {
    const idle = [new AgentBench({ profile: { tools: false } }), new AgentBench({ backends: [] }), new AgentBench()];
    idle[2]?.agent.hold(true);
    for (const bench of idle) bench.agent.submit('hi');
    expect(idle.map(({ host }) => host.prepared)).toEqual([0, 0, 0]);
    const bench = new AgentBench();
    bench.agent.submit('one');
    bench.agent.submit('two');
    expect(bench.host.prepared).toBe(1);
    await bench.idle();
  });

  it('takes blank text for nothing', () => {
    const bench = new AgentBench();
    bench.agent.submit(' \n');
    expect(bench.host.prepared).toBe(0);
    expect(bench.agent.state.value).toBe('idle');
    expect(bench.chat).toBe('');
  });

  it('counts as seen for the shell that wrote, so that its wait ends with the turn, however fast that is', async () => {
    const bench = new AgentBench();
    const other = bench.agent.state.next({ role: 'user', uname: 'u', aname: '', tag: 'c7' }, never);
    await bench.prompt('hi', shell);
    await expect(bench.agent.state.next(sibling, never)).resolves.toBe('idle');
    await expect(other).resolves.toBe('running');
  });

  it('while a turn runs, queues, and no idle shows between the turns', async () => {
    const bench = new AgentBench({ answers: [{ text: 'one' }, { text: 'two' }] });
    const states: string[] = [];
    bench.agent.submit('a', shell);
    bench.agent.submit('b', shell);
    expect(bench.stat('queued')).toBe('1');
    while (states.at(-1) !== 'idle') states.push(await bench.agent.state.next(shell, never));
    expect(states).toEqual(['idle']);
    expect(bench.chat).toBe('user: a\none\nuser: b\ntwo\n');
    expect(bench.roles.filter((role) => role === 'state')).toHaveLength(2);
  });

  it('without a backend ends in an error that says how to configure one', async () => {
    const bench = new AgentBench({ backends: [] });
    await bench.prompt('hi');
    expect(bench.chat).toMatch(/^user: hi\nerror: no backend configured: .*OLLIE_OPENAI_URL.*OLLIE_OPENAI_KEY.*OLLIE_BACKEND=scripted/);
    expect(bench.chat.length).toBeLessThan(255); // what a 9P client reads of an error
    expect(bench.agent.backendName + bench.agent.modelName).toBe('');
    expect(bench.agent.state.value).toBe('idle');
  });

  it('without a model, or with a backend that is not there, ends in an error', async () => {
    const nameless = new AgentBench({ backends: [new FakeBackend([], 'local', null)] });
    await nameless.prompt('hi');
    expect(nameless.chat).toContain('error: no model chosen for backend local: ');
    const missing = new AgentBench({ setup: { backend: 'acme' } });
    await missing.prompt('hi');
    expect(missing.chat).toContain('error: no such backend: acme\n');
    expect(missing.agent.backendName).toBe('acme');
    expect(missing.agent.modelName).toBe('');
  });
});

describe('the choice of backend and model', () => {
  const first = new FakeBackend([], 'first', 'f');
  const second = new FakeBackend([], 'second', 's');
  it.each<[string, BenchOptions, string]>([
    ['the catalog alone', {}, 'first f'],
    ['the profile', { profile: { backend: 'second', model: 'p' } }, 'second p'],
    ['a model of the profile alone', { profile: { model: 'p' } }, 'first p'],
    ['the setup over the profile, whose model then does not fit', { profile: { model: 'p' }, setup: { backend: 'second' } }, 'second s'],
    ['a model of the setup', { profile: { model: 'p' }, setup: { model: 'm' } }, 'first m'],
  ])('follows %s', (_what, options, chosen) => {
    const { agent } = new AgentBench({ ...options, backends: [first, second] });
    expect(`${agent.backendName} ${agent.modelName}`).toBe(chosen);
  });
});

describe('stop', () => {
  it('says idle when nothing runs', async () => {
    await expect(new AgentBench().agent.stop()).resolves.toBe('idle');
  });

  it('interrupts tools, keeps what is done and answers the rest, so that the next prompt is accepted', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('go');
    await running;
    expect(bench.cfg('action')).toBe('calling: sleep');
    await expect(bench.agent.stop()).resolves.toBe('ok');
    expect(bench.agent.state.value).toBe('idle');
    expect(bench.cfg('action')).toBe('');
    expect(bench.chat).toBe('user: go\nSo:\n-> sleep({})\n<- sleep 1 lines error\n-> shell({})\n<- shell 1 lines error\n:: interrupted\n');
    expect(bench.host.servers.get(bench.agent.id)?.active).toBe(0);
    await bench.prompt('again');
    expect(bench.backend.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user']);
  });

  it('interrupts a stream and keeps the text that came', async () => {
    const bench = new AgentBench({ answers: [{ text: 'Once upon', hangs: true }] });
    bench.agent.submit('tell');
    await read(bench, 'user: tell\n'.length);
    await bench.agent.stop();
    expect(bench.backend.active).toBe(0);
    await bench.prompt('go on');
    expect(bench.backend.requests[1]?.messages[1]).toMatchObject({ role: 'assistant', content: [{ text: 'Once upon' }] });
  });

  it('interrupts a wait for a retry', async () => {
    const clock = FakeClock.stopped();
    const bench = new AgentBench({ clock, answers: [{ fails: new TransientError('t', { backend: 'fake' }) }] });
    bench.agent.submit('hi');
    while (clock.sleeping === 0) await Promise.resolve();
    await expect(bench.agent.stop()).resolves.toBe('ok');
    expect(clock.sleeping).toBe(0);
    expect(bench.backend.requests).toHaveLength(1);
  });

  it('keeps the queue, which drains before the next prompt', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('first');
    bench.agent.submit('second');
    await running;
    await bench.agent.stop();
    expect(bench.agent.state.value).toBe('idle');
    expect(bench.stat('queued')).toBe('1');
    await bench.prompt('third');
    const users = bench.blocks().filter((block) => block.role === 'user');
    expect(users.map((block) => block.content)).toEqual(['first', 'second', 'third']);
    expect(bench.stat('queued')).toBe('0');
  });

  it('and a prompt before the turn has ended: the prompt runs', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('first');
    await running;
    const stopped = bench.agent.stop();
    bench.agent.submit('next');
    await expect(stopped).resolves.toBe('ok');
    await bench.idle();
    expect(bench.chat).toMatch(/:: interrupted\nuser: next\ndone\n$/);
  });
});

describe('hold', () => {
  it('lets the running turn finish and the next one wait as paused', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('a');
    await running;
    bench.agent.hold(true);
    bench.agent.submit('b');
    expect(bench.agent.state.value).toBe('running');
    bench.host.servers.get(bench.agent.id)?.lose();
    await bench.idle();
    expect(bench.agent.state.value).toBe('paused');
    bench.agent.hold(false);
    expect(bench.agent.state.value).toBe('running');
    await bench.idle();
    expect(bench.chat).toMatch(/user: b\ndone\n$/);
  });

  it('makes a new prompt wait, and leaves an idle agent idle', () => {
    const bench = new AgentBench();
    bench.agent.hold(true);
    expect(bench.agent.state.value).toBe('idle');
    bench.agent.submit('a', shell);
    expect(bench.agent.state.value).toBe('paused');
    expect(bench.stat('queued')).toBe('1');
  });

  it('does not wake a queue that a stop has left waiting', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('a');
    bench.agent.submit('b');
    await running;
    await bench.agent.stop();
    bench.agent.hold(true);
    bench.agent.hold(false);
    expect(bench.agent.state.value).toBe('idle');
  });
});

describe('run', () => {
  it('gives the last text of the model', async () => {
    const bench = new AgentBench({
      tools: { shell: {} },
      answers: [{ text: 'Let me see.', calls: [fakeCall('1', 'shell')] }, { text: 'Two.' }],
    });
    await expect(bench.agent.run('how many', never)).resolves.toBe('Two.');
  });

  it('lets go of the signal when it is over', async () => {
    const { signal } = new AbortController();
    await new AgentBench().agent.run('x', signal);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('refuses a blank prompt', async () => {
    await expect(new AgentBench().agent.run(' ', never)).rejects.toThrow('illegal argument: empty prompt');
  });

  it('rejects when the turn fails', async () => {
    const bench = new AgentBench({ backends: [] });
    const run = bench.agent.run('x', never);
    await expect(run).rejects.toBeInstanceOf(PartnerError);
    await expect(run).rejects.toThrow(/^i\/o error: subagent: no backend configured/);
  });

  it('interrupts its turn on abort and leaves nothing running', async () => {
    const { bench, running } = hanging();
    const abort = new AbortController();
    const run = bench.agent.run('x', abort.signal);
    await running;
    abort.abort();
    await expect(run).rejects.toBeInstanceOf(InterruptedError);
    expect(bench.host.servers.get(bench.agent.id)?.active).toBe(0);
    await expect(bench.agent.run('y', AbortSignal.abort())).rejects.toBeInstanceOf(InterruptedError);
  });

  it('takes a waiting prompt back on abort', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('a');
    await running;
    const abort = new AbortController();
    const run = bench.agent.run('b', abort.signal);
    abort.abort();
    await expect(run).rejects.toBeInstanceOf(InterruptedError);
    expect(bench.stat('queued')).toBe('0');
    expect(bench.agent.state.value).toBe('running');
    await bench.agent.kill();
  });

  it('rejects when somebody else stops or kills the agent', async () => {
    const stopped = hanging();
    const run = stopped.bench.agent.run('x', never);
    await stopped.running;
    await stopped.bench.agent.stop();
    await expect(run).rejects.toThrow('i/o error: subagent: interrupted');
    const killed = hanging();
    const both = [killed.bench.agent.run('x', never), killed.bench.agent.run('y', never)];
    await killed.running;
    await killed.bench.agent.kill();
    for (const each of both) await expect(each).rejects.toThrow('i/o error: subagent: interrupted');
  });
});

describe('kill', () => {
  it('interrupts, hangs up, tells the waiters and releases the readers', async () => {
    const { bench, running } = hanging();
    bench.agent.submit('a', shell);
    bench.agent.submit('b');
    await running;
    const state = bench.agent.state.next(shell, never);
    const ended = (async () => {
      for (let at = 0; ;) {
        const piece = await read(bench, at);
        if (piece === '') return true;
        at += Buffer.byteLength(piece);
      }
    })();
    const [first, second] = [bench.agent.kill(), bench.agent.kill()];
    await Promise.all([first, second]);
    await expect(state).resolves.toBe('killed');
    await expect(ended).resolves.toBe(true);
    expect(bench.host.servers.get(bench.agent.id)).toMatchObject({ closed: true, active: 0 });
    expect(bench.chat).not.toContain('user: b');
  });

  it('gives up a tool server that is still starting', async () => {
    const bench = new AgentBench({ tools: { shell: {} } });
    bench.host.connect = (_id, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new PartnerError('toolsrv: given up')));
      });
    bench.agent.submit('hi');
    await bench.agent.kill();
    expect(bench.agent.state.value).toBe('killed');
    expect(bench.chat).toBe('user: hi\n:: interrupted\n');
  });

  it('leaves an agent that refuses work and can still be read', async () => {
    const bench = new AgentBench();
    await bench.prompt('hi');
    await bench.agent.kill();
    expect(() => bench.agent.submit('x')).toThrow(new NotFoundError('agent', bench.agent.id));
    await expect(bench.agent.run('x', never)).rejects.toThrow(`no such agent: ${bench.agent.id}`);
    await expect(bench.agent.tools(never)).rejects.toThrow(`no such agent: ${bench.agent.id}`);
    await expect(bench.agent.stop()).resolves.toBe('idle');
    expect(textOf(bench.agent.transcript.plain)).toBe('user: hi\ndone\n');
    expect(bench.cfg('state')).toBe('killed');
    await expect(bench.agent.state.next(shell, never)).resolves.toBe('killed');
  });
});
