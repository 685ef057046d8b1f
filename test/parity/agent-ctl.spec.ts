import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeCall } from '#testkit';
import { AGENT, servedAgent } from '../support/served-agent.js';
import { textOf } from '../support/served-olliesrv.js';

/** Section 2.6 over a real connection: an answer and each error of every command. */
describe('the ctl of an agent', () => {
  const agent = servedAgent();
  const { start, read, prompt, ctl } = agent;

  const refused = async (line: string, error: string): Promise<void> => {
    await expect(ctl(line)).rejects.toThrow(new RegExp(`^${error}$`));
  };
  const texts = (request: number): readonly string[] =>
    agent.served.backend.requests[request]?.messages.map(({ content }) =>
      content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ) ?? [];
  const whenRequests = async (count: number): Promise<void> => {
    while (agent.served.backend.requests.length < count) await sleep(5);
  };

  it('stop: ok, or idle when nothing ran; the queue is kept', async () => {
    await start({ hangs: true });
    expect(await ctl('stop')).toBe('idle\n');
    await prompt('a');
    await prompt('b');
    expect(await ctl('stop')).toBe('ok\n');
    expect(await ctl('queue')).toBe('1\tuser\tb\n');
  });

  it('clear: ok, or busy', async () => {
    await start({ text: 'one' }, { hangs: true });
    await prompt('a');
    await read('chat');
    expect(await ctl('clear')).toBe('ok\n');
    expect(await read('chat')).toContain(':: conversation cleared\n');
    await prompt('b');
    await whenRequests(2);
    expect(texts(1)).toEqual(['b']);
    await refused('clear', 'agent is busy');
  });

  it('kill: ok, and the agent is gone', async () => {
    await start();
    expect(await ctl('kill')).toBe('ok\n');
    await expect(ctl('stop')).rejects.toThrow('file does not exist');
  });

  it('inject: the next tool result of a running turn', async () => {
    await start({ calls: [fakeCall('c1', 'shell', { cmd: 'ls' })], hangs: false }, { text: 'done' });
    expect(await ctl('inject go left')).toBe('idle\n');
    await read('chat');
    expect(texts(0)).toEqual(['go left']);
    await refused('inject', 'illegal argument: inject needs text');
    await refused('i  ', 'illegal argument: inject needs text');
    await refused('irw', 'illegal argument: inject needs text');
  });

  it('inject, i, irw while a turn runs: one waits, the next is queued or takes its place', async () => {
    await start({ hangs: true }, { text: 'after' });
    await prompt('work');
    expect(await ctl('i first\\nwith two lines')).toBe('ok\n');
    expect(await ctl('inject second')).toBe('queued\n');
    expect(await ctl('irw third')).toBe('ok\n');
    expect(await ctl('queue')).toBe('1\tuser\tsecond\n');
    await ctl('stop');
    expect(await ctl('queue')).toBe('1\tuser\tthird\n2\tuser\tsecond\n');
  });

  it('agent: the profile', async () => {
    await start();
    expect(await ctl('agent')).toBe('default\n');
    await refused('agent observer', 'illegal argument: agent observer');
  });

  it('model, models, backend', async () => {
    await start();
    expect(await ctl('model')).toBe('fake-1\n');
    expect(await ctl('model fake-1')).toBe('ok\n');
    await refused('model fake-9', 'no such model: fake-9');
    expect(await ctl('models')).toBe('* fake-1\n');
    expect(await ctl('backend')).toBe('fake\n');
    await refused('backend other', 'read-only: backend');
  });

  it('name: told, taken, refused', async () => {
    await start();
    expect(await ctl('name')).toBe('coding\n');
    await refused('name review', 'agent already exists: review');
    await refused('name new', 'illegal name: new');
    expect(await ctl('name tester')).toBe('ok\n');
    expect(await textOf(agent.client, 'session/s/agent/tester/name')).toBe('tester\n');
  });

  it('cwd: told, taken, refused; a path is seen from where the agent is', async () => {
    await start();
    mkdirSync(`${agent.served.project}/src`);
    expect(await ctl('cwd')).toBe(`${agent.served.project}\n`);
    expect(await ctl('cwd src')).toBe('ok\n');
    expect(await ctl('cwd')).toBe(`${agent.served.project}/src\n`);
    expect(await ctl('cwd ..')).toBe('ok\n');
    expect(await ctl(`cwd ${agent.served.project}/src`)).toBe('ok\n');
    await refused('cwd nowhere', 'no such directory: nowhere');
  });

  it('tools, tool_load, tool_unload', async () => {
    await start();
    expect(await ctl('tools')).toMatch(/^(\w+\t(hot|warm|cold)\t\S.*\n)+$/);
    expect(await ctl('tool_unload shell')).toBe('ok\n');
    expect(await ctl('tools')).not.toContain('shell\t');
    await refused('tool_unload shell', 'no such tool: shell');
    expect(await ctl('tool_load shell')).toBe('ok\n');
    expect(await ctl('tools')).toContain('shell\thot\tThe tool shell\n');
    await refused('tool_load nothing', 'no such tool: nothing');
  });

  it('systemprompt, usage, cost', async () => {
    await start({
      text: 'done',
      usage: { inputTokens: 10, cachedInputTokens: 30, cacheCreationTokens: 2, outputTokens: 3, costUSD: 0.0123 },
    });
    expect(await ctl('systemprompt')).toMatch(
      /^You are Ollie[^]*<environment>\ncwd: \S+\nplatform: linux\ndate: [-\d]{10}\n<\/environment>\n$/,
    );
    expect(await ctl('cost')).toBe('costLast=unknown costSession=unknown\n');
    await prompt('a');
    await read('chat');
    expect(await ctl('usage')).toBe('input=10 cached=30 created=2 output=3 requests=1\n');
    expect(await ctl('cost')).toBe('costLast=$0.0123 costSession=$0.0123\n');
    const stats = await read('stats');
    expect(stats).toMatch(/^prefix=[0-9a-f]{6}\ncachedShare=0\.71\ncostKnown=true\n/);
    expect(stats).toMatch(/\ncontextTokens=45\nturns=1\nsteps=1\nqueued=0\nestimated=false\n$/);
  });

  it('queue, queue pop, queue clear', async () => {
    await start();
    for (const text of ['first\nline', 'second', 'third']) await agent.client.writeAll(`${AGENT}/fifo`, text);
    expect(await ctl('queue')).toBe('1\tuser\tfirst\\nline\n2\tuser\tsecond\n3\tuser\tthird\n');
    expect(await ctl('queue pop')).toBe('first\nline\n');
    expect(await ctl('queue clear')).toBe('ok\n');
    expect(await ctl('queue')).toBe('');
    expect(await ctl('queue pop')).toBe('');
    await refused('queue x', 'illegal argument: queue x');
  });

  it('agents, sessions', async () => {
    await start();
    expect(await ctl('agents')).toBe('* default\n  coding\n  observer\n');
    expect(await ctl('sessions')).toBe(await textOf(agent.client, 'session/idx'));
  });

  it('help: every command, and nothing else is one', async () => {
    await start();
    const help = await ctl('help');
    expect(help).toMatch(/^stop\tinterrupt the running turn\n/);
    expect(help).toMatch(/\ninject <text>\t/);
    for (const word of ['compact', 'uncompact', 'context', 'skills', 'x']) await refused(word, `illegal command: ${word}`);
  });
});
