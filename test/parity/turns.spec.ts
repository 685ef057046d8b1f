import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMode } from '#ninep';
import { fakeCall } from '#testkit';
import { AGENT, servedAgent } from '../support/served-agent.js';
import { textOf } from '../support/served-olliesrv.js';
import { until } from '../support/until.js';

/** Four times what a waiter may wait after the change. */
const WAKE_MS = 200;
const LOG_BYTES = 65_536;

/** What a prompt sets going, as clients of a connection see it. */
describe('turns', () => {
  const agent = servedAgent();
  const { start, read, prompt, ctl } = agent;

  const lastTexts = (): readonly string[] =>
    agent.served.backend.requests.map(({ messages }) =>
      (messages.at(-1)?.content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join(''),
    );

  it('take their text as it is: no slash and no exclamation mark means anything', async () => {
    await start({ text: 'one' }, { text: 'two' }, { text: 'three' });
    for (const text of ['/stop', '/cwd /', '!ls']) await prompt(`${text}\n`);
    expect(await read('chat')).toBe('user: /stop\none\nuser: /cwd /\ntwo\nuser: !ls\nthree\n');
    expect(lastTexts()).toEqual(['/stop', '/cwd /', '!ls']);
    expect(await ctl('cwd')).toBe(`${agent.served.project}\n`);
  });

  it('are one at a time, and what waits comes one by one, in order', async () => {
    await start({ text: 'one' }, { text: 'two' }, { text: 'three' });
    for (const text of ['first', 'second', 'third']) await prompt(text);
    await until('all is said', async () => (await read('stats')).includes('turns=3\n'));
    expect(lastTexts()).toEqual(['first', 'second', 'third']);
    expect(agent.served.backend.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]); // each heard the answer to the one before
    expect(await read('chat')).toBe('user: first\none\nuser: second\ntwo\nuser: third\nthree\n');
  });

  it('wake who waits for the state, at their begin and at their end', async () => {
    await start({ hangs: true });
    const other = await agent.served.dial({ aname: 'client=waiter' });
    const waiting = textOf(other, `${AGENT}/statewait`);
    expect(await Promise.race([waiting, sleep(80, 'waits')])).toBe('waits');
    const began = performance.now();
    await prompt('x');
    expect(await waiting).toBe('running\n');
    expect(performance.now() - began).toBeLessThan(WAKE_MS);
    const end = textOf(other, `${AGENT}/statewait`);
    expect(await Promise.race([end, sleep(80, 'waits')])).toBe('waits');
    const stopped = performance.now();
    await ctl('stop');
    expect(await end).toBe('idle\n');
    expect(performance.now() - stopped).toBeLessThan(WAKE_MS);
  });

  it('end with `stop`, which calls off the request, and waiters hear of the end of the agent once', async () => {
    await start({ text: 'half', hangs: true });
    await prompt('x');
    await until('the model speaks', async () => (await read('log')).includes('half'));
    expect(agent.served.backend.active).toBe(1);
    expect(await ctl('stop')).toBe('ok\n');
    expect(agent.served.backend.active).toBe(0);
    const file = await agent.client.open(`${AGENT}/statewait`, openMode.read);
    expect(Buffer.from(await file.read(0, 100)).toString()).toMatch(/^(running|idle)\n$/);
    const waiting = file.read(0, 100);
    await ctl('kill');
    expect(Buffer.from(await waiting).toString()).toBe('killed\n');
    expect(await file.read(0, 100)).toHaveLength(0);
  });

  it('are looked at in log without waiting, the last 64 KiB from the start of a line', async () => {
    const line = `${'x'.repeat(99)}\n`;
    await start({ text: Array.from({ length: 900 }, (_none, at) => `${at} ${line}`), hangs: true });
    await prompt('x');
    await until('all is said', async () => Number((await agent.client.stat(`${AGENT}/chat`)).length) > 90_000);
    const log = await read('log');
    expect(log.length).toBeLessThanOrEqual(LOG_BYTES);
    expect(log.length).toBeGreaterThan(LOG_BYTES - 200);
    expect(log).toMatch(/^\d+ x/);
    expect(log.endsWith(`899 ${line}`)).toBe(true);
    expect(await Promise.race([textOf(await agent.served.dial(), `${AGENT}/chat`), sleep(80, 'follows')])).toBe('follows');
  });

  it('run calls in the present directory, and systemprompt is what the model was told', async () => {
    await start({ calls: [fakeCall('c1', 'shell', { cmd: 'pwd' })] }, { text: 'done' });
    mkdirSync(`${agent.served.project}/src`);
    expect(await ctl('cwd src')).toBe('ok\n');
    const told = await ctl('systemprompt');
    await prompt('where?');
    await read('chat');
    const [host] = agent.served.hands.hosts.values();
    expect([...(host?.servers.values() ?? [])].flatMap(({ calls }) => calls.map(({ cwd }) => cwd))).toEqual([
      `${agent.served.project}/src`,
    ]);
    expect(told).toBe(`${agent.served.backend.requests[0]?.system ?? ''}\n`);
    expect(told).toContain(`cwd: ${agent.served.project}/src\n`);
  });

  it('offer the model what is loaded at that time, and ask the model that is chosen', async () => {
    await start({ text: 'one' }, { text: 'two' }, { text: 'three' });
    const offered = (): readonly (readonly string[])[] => agent.served.backend.requests.map(({ tools }) => tools.map(({ name }) => name));
    await prompt('a');
    await read('chat');
    expect(await ctl('tool_load file_read')).toBe('ok\n');
    await agent.client.writeAll(`${AGENT}/cfg`, 'model=fake-1\n');
    await prompt('b');
    await read('chat');
    expect(await ctl('tool_unload file_read')).toBe('ok\n');
    await prompt('c');
    await read('chat');
    expect(offered()).toEqual([
      ['client_9p', 'shell'],
      ['client_9p', 'file_read', 'shell'],
      ['client_9p', 'shell'],
    ]);
    expect(agent.served.backend.requests.map(({ model }) => model)).toEqual(['fake-1', 'fake-1', 'fake-1']);
  });

  it('leave the plan alone, and so does clear', async () => {
    await start({ text: 'one' });
    await agent.client.writeAll(`${AGENT}/plan`, '- [ ] one\n');
    await prompt('x');
    await read('chat');
    await ctl('clear');
    expect(await read('plan')).toBe('- [ ] one\n');
  });

  it('of two writers of one generate or ctl file are not mixed up', async () => {
    await start({ text: 'for a' }, { text: 'for b' });
    const [a, b] = [await agent.client.open('generate', openMode.readWrite), await agent.client.open('generate', openMode.readWrite)];
    await a.write(0, Buffer.from('first '));
    await b.write(0, Buffer.from('other'));
    await a.write(6, Buffer.from('half'));
    const text = async (file: typeof a): Promise<string> => Buffer.from(await file.read(0, 100)).toString();
    expect([await text(a), await text(b)]).toEqual(['for a', 'for b']);
    expect(lastTexts()).toEqual(['first half', 'other']);
    const [c, d] = [
      await agent.client.open(`${AGENT}/ctl`, openMode.readWrite),
      await agent.client.open(`${AGENT}/ctl`, openMode.readWrite),
    ];
    await c.write(0, Buffer.from('name\n'));
    await d.write(0, Buffer.from('backend\n'));
    expect([await text(d), await text(c)]).toEqual(['fake\n', 'coding\n']);
  });

  it('and lists have fields on one line each, whatever is in them', async () => {
    await start();
    const odd = `${agent.served.project}/a\tb\\c\nd`;
    mkdirSync(odd);
    await agent.client.writeAll('session/s/agent/new', `name=odd\ncwd=${agent.served.project}\n`);
    await agent.client.writeAll('session/s/agent/odd/cfg', 'cwd=a\\tb\\\\c\\nd\n');
    const shown = `${agent.served.project}/a\\tb\\\\c\\nd`;
    const line = (await textOf(agent.client, 'session/s/agent/idx')).split('\n').find((one) => one.startsWith('odd\t'));
    expect(line?.split('\t')).toHaveLength(7);
    expect(line?.split('\t')[6]).toBe(shown);
    expect(await textOf(agent.client, 'session/s/agent/odd/cfg')).toContain(`\ncwd=${shown}\n`);
  });
});
