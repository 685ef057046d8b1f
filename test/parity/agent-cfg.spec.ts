import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMode } from '#ninep';
import { fakeCall } from '#testkit';
import { AGENT, servedAgent } from '../support/served-agent.js';
import { textOf } from '../support/served-olliesrv.js';

const KEYS = `state action session id name agent backend model cwd remote maxSteps compactionModel autoLoad feed
  maxTokens maxCompletionTokens temperature topP topK minP topA frequencyPenalty presencePenalty repetitionPenalty
  thinkingBudget reasoningEffort includeReasoning responseFormat stop verbosity`
  .trim()
  .split(/\s+/);

/** Section 2.8 over a real connection. */
describe('cfg', () => {
  const agent = servedAgent();
  const { start, prompt, ctl } = agent;

  const read = (): Promise<string> => agent.read('cfg');
  const write = (text: string): Promise<void> => agent.client.writeAll(`${AGENT}/cfg`, text);
  const valueOf = async (key: string): Promise<string | undefined> =>
    (await read())
      .split('\n')
      .find((line) => line.startsWith(`${key}=`))
      ?.slice(key.length + 1);
  const chat = (): Promise<string> => agent.read('chat');

  it('shows every key of the contract in its order, and its true length', async () => {
    await start();
    const text = await read();
    expect(text.match(/^[^=\n]+/gm)).toEqual(KEYS);
    expect(text).toMatch(
      /^state=idle\naction=\nsession=\d{19}-[0-9a-f]{6}\nid=\d{19}-[0-9a-f]{6}\nname=coding\nagent=default\nbackend=fake\nmodel=fake-1\n/,
    );
    expect(text).toContain('\nremote=\nmaxSteps=0\n');
    expect(text).toContain('\ntemperature=\n');
    expect((await agent.client.stat(`${AGENT}/cfg`)).length).toBe(Buffer.byteLength(text));
  });

  it.each([
    ['maxSteps', '7'],
    ['compactionModel', 'small-1'],
    ['autoLoad', 'shell,file_read'],
    ['feed', 'prompt'],
    ['maxTokens', '4096'],
    ['maxCompletionTokens', '2048'],
    ['temperature', '0.2'],
    ['topP', '0.9'],
    ['topK', '40'],
    ['minP', '0.05'],
    ['topA', '0.1'],
    ['frequencyPenalty', '-0.5'],
    ['presencePenalty', '0.5'],
    ['repetitionPenalty', '1.1'],
    ['thinkingBudget', '0'],
    ['reasoningEffort', 'high'],
    ['includeReasoning', 'true'],
    ['responseFormat', '{"type":"json_object"}'],
    ['stop', '["END","\\\\n"]'],
    ['verbosity', 'low'],
  ])('takes %s=%s, shows it as it was written, and an empty value is the default again', async (key, value) => {
    await start();
    const before = await valueOf(key);
    await write(`${key}=${value}\n`);
    expect(await valueOf(key)).toBe(value);
    await write(`${key}=\n`);
    expect(await valueOf(key)).toBe(before);
  });

  it('takes name, cwd and backend', async () => {
    await start();
    mkdirSync(`${agent.served.project}/src\tb`);
    await write('backend=fake\ncwd=src\\tb\nname=tester\n');
    const text = await textOf(agent.client, 'session/s/agent/tester/cfg');
    expect(text).toContain('\nname=tester\n');
    expect(text).toContain(`\ncwd=${agent.served.project}/src\\tb\n`);
    await agent.client.writeAll('session/s/agent/tester/cfg', 'cwd=\n');
    expect(await textOf(agent.client, 'session/s/agent/tester/cfg')).toContain(`\ncwd=${agent.served.project}\n`);
  });

  it.each([
    ['k=v', 'illegal key: k'],
    ['words', 'illegal argument: words'],
    ['maxSteps=-1', 'illegal value: maxSteps=-1'],
    ['maxTokens=0', 'illegal value: maxTokens=0'],
    ['temperature=hot', 'illegal value: temperature=hot'],
    ['feed=sometimes', 'illegal value: feed=sometimes'],
    ['autoLoad=Shell', 'illegal value: autoLoad=Shell'],
    ['includeReasoning=1', 'illegal value: includeReasoning=1'],
    ['responseFormat={', 'illegal value: responseFormat={'],
    ['stop=END', 'illegal value: stop=END'],
    ['stop=[1]', 'illegal value: stop=[1]'],
    ['remote=host', 'illegal value: remote=host'],
    ['agent=observer', 'illegal value: agent=observer'],
    ['agent=nobody', 'no such profile: nobody'],
    ['backend=nowhere', 'no such backend: nowhere'],
    ['model=fake-9', 'no such model: fake-9'],
    ['cwd=/nowhere/at/all', 'no such directory: /nowhere/at/all'],
    ['name=new', 'illegal name: new'],
    ['name=review', 'agent already exists: review'],
    ['state=idle', 'read-only: state'],
    ['action=x', 'read-only: action'],
    ['session=x', 'read-only: session'],
    ['id=x', 'read-only: id'],
  ])('refuses %s as the contract says, with all other lines of that write', async (line, error) => {
    await start();
    const before = await read();
    await expect(write(`topK=3\n${line}\nmaxSteps=4\n`)).rejects.toThrow(new RegExp(`^${error.replace(/[{}[\].?*+]/g, '\\$&')}$`));
    expect(await read()).toBe(before);
  });

  it('is all or nothing a write, line by line across writes', async () => {
    await start();
    const file = await agent.client.open(`${AGENT}/cfg`, openMode.write);
    await file.write(0, Buffer.from('topK=3\n'));
    await expect(file.write(7, Buffer.from('maxSteps=4\nk=v\n'))).rejects.toThrow('illegal key: k');
    await file.clunk();
    expect([await valueOf('topK'), await valueOf('maxSteps')]).toEqual(['3', '0']);
  });

  it('is busy for some keys while a turn runs, and for model and cwd it is not', async () => {
    await start({ hangs: true });
    mkdirSync(`${agent.served.project}/src`);
    await prompt('x\n');
    for (const line of ['backend=fake', 'agent=default', 'remote=', 'temperature=1', 'stop=["a"]', 'verbosity=low'])
      await expect(write(`model=fake-1\n${line}\n`)).rejects.toThrow(/^agent is busy$/);
    expect([await valueOf('state'), await valueOf('action')]).toEqual(['running', 'thinking']);
    await write('model=fake-1\ncwd=src\nmaxSteps=3\n');
    expect(await valueOf('cwd')).toBe(`${agent.served.project}/src`);
    expect(await ctl('stop')).toBe('ok\n');
    await write('temperature=1\n');
    expect(await valueOf('temperature')).toBe('1');
  });

  it('says what goes on inside a turn, and a changed model and directory count from the next request and call on', async () => {
    await start({ calls: [fakeCall('c1', 'shell', { cmd: 'ls' })] }, { text: 'done' }, { text: 'again' });
    mkdirSync(`${agent.served.project}/src`);
    await write('temperature=0.2\ntopK=40\n');
    await prompt('x\n');
    await chat();
    expect(agent.served.backend.requests.map(({ params }) => params)).toEqual([
      { temperature: 0.2, topK: 40 },
      { temperature: 0.2, topK: 40 },
    ]);
    await write('temperature=\ncwd=src\n');
    await prompt('y\n');
    while (agent.served.backend.requests.length < 3) await sleep(5);
    expect(agent.served.backend.requests[2]?.params).toEqual({ topK: 40 });
    expect(agent.served.backend.requests[2]?.system).toContain(`cwd: ${agent.served.project}/src\n`);
  });
});
