import type { Client } from '#ninep';
import type { FakeAnswer } from '#testkit';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

describe('the ctl of a session', () => {
  let served: ServedOlliesrv;
  let client: Client;

  async function start(...answers: readonly FakeAnswer[]): Promise<void> {
    served = await ServedOlliesrv.start(answers);
    client = await served.dial();
    await client.writeAll('session/new', 'name=s\n');
    for (const name of ['a', 'b']) await client.writeAll('session/s/agent/new', `name=${name}\n`);
  }
  afterEach(() => served.close());

  const control = (line: string): Promise<string> => answerOf(client, 'session/s/ctl', `${line}\n`);
  const prompt = (agent: string, text: string): Promise<void> => client.writeAll(`session/s/agent/${agent}/prompt`, text);
  const stateOf = async (agent: string): Promise<string | undefined> =>
    (await textOf(client, 'session/s/agent/idx'))
      .split('\n')
      .find((line) => line.startsWith(`${agent}\t`))
      ?.split('\t')[2];
  const sessionState = async (): Promise<string | undefined> => (await textOf(client, 'session/idx')).split('\t')[2];

  it('tells its commands', async () => {
    await start();
    for (const word of ['kill', 'invalidate', 'pause', 'resume', 'help']) expect(await control('help')).toContain(`${word}\t`);
    await expect(control('x')).rejects.toThrow('illegal command: x');
  });

  it('pauses: no turn starts, queues fill, and they go on when it resumes', async () => {
    await start({ text: 'one' }, { text: 'two' }, { text: 'three' });
    expect(await control('pause')).toBe('ok\n');
    expect(await textOf(client, 'session/s/paused')).toBe('true\n');
    expect(await sessionState()).toBe('paused');
    await prompt('a', 'first');
    await prompt('a', 'second');
    expect([await stateOf('a'), await stateOf('b')]).toEqual(['paused', 'idle']);
    expect(await textOf(client, 'session/s/agent/a/stats')).toContain('queued=2\n');
    expect(served.backend.requests).toHaveLength(0);
    expect(await control('resume')).toBe('ok\n');
    expect(await textOf(client, 'session/s/paused')).toBe('false\n');
    expect(await textOf(client, 'session/s/agent/a/chat')).toBe('user: first\none\nuser: second\ntwo\n');
    expect([await sessionState(), await stateOf('a')]).toEqual(['idle', 'idle']);
  });

  it('lets a running turn finish', async () => {
    await start({ hangs: true });
    await prompt('a', 'wait');
    await control('pause');
    expect([await sessionState(), await stateOf('a')]).toEqual(['running', 'running']);
    await answerOf(client, 'session/s/agent/a/ctl', 'stop\n');
    expect([await sessionState(), await stateOf('a')]).toEqual(['paused', 'idle']);
  });

  it('may be told twice, and is told to agents that come later', async () => {
    await start();
    for (const line of ['pause', 'pause']) expect(await control(line)).toBe('ok\n');
    await client.writeAll('session/s/agent/new', 'name=late\n');
    await prompt('late', 'x');
    expect(await stateOf('late')).toBe('paused');
    for (const line of ['resume', 'resume']) expect(await control(line)).toBe('ok\n');
    expect(await textOf(client, 'session/s/agent/late/chat')).toBe('user: x\ndone\n');
  });

  it('holds a sub-agent too, but not one whose parent is in its turn', async () => {
    await start({ hangs: true }, { text: 'for a' }, { text: 'for nobody' });
    await prompt('a', 'wait');
    await control('pause');
    expect(await answerOf(client, 'session/s/agent/new', 'parent=a prompt=x')).toBe('for a');
    const held = answerOf(client, 'session/s/agent/new', 'parent=b prompt=x');
    while (!(await textOf(client, 'session/s/agent/idx')).includes('\tpaused\t')) await new Promise(setImmediate);
    expect(served.backend.requests).toHaveLength(2);
    await control('resume');
    expect(await held).toBe('for nobody');
  });

  it('drops what is cached', async () => {
    await start();
    const dropped = jest.spyOn(served.hands, 'invalidate');
    expect(await control('invalidate')).toBe('ok\n');
    expect(dropped).toHaveBeenCalledTimes(1);
  });

  it('ends it', async () => {
    await start();
    expect(await control('kill')).toBe('ok\n');
    await expect(client.stat('session/s')).rejects.toThrow('file does not exist');
    expect(await textOf(client, 'session/idx')).toBe('');
  });
});
