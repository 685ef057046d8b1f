import type { Client } from '#ninep';
import { openMode } from '#ninep';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

describe('approvals', () => {
  let served: ServedOlliesrv;
  let client: Client;

  beforeEach(async () => {
    served = await ServedOlliesrv.start();
    client = await served.dial();
    await client.writeAll('session/new', 'name=s\n');
    await client.writeAll('session/s/agent/new', 'name=a\n');
  });
  afterEach(() => served.close());

  const ask = (text: string): Promise<string> => answerOf(client, 'session/s/agent/a/ctl', `ask ${text}\n`);
  const answer = (words: object): Promise<void> => client.writeAll('approvals/resolve', JSON.stringify(words));
  const pending = async (): Promise<Record<string, unknown>> =>
    JSON.parse(await textOf(client, 'approvals/pending')) as Record<string, unknown>;
  const id = async (directory: string): Promise<string> => (await textOf(client, `${directory}/id`)).trim();

  it('have modes of their own', async () => {
    expect(await client.stat('approvals')).toMatchObject({ mode: 0o20000000550 });
    expect((await client.list('approvals')).map(({ name, mode }) => [name, mode])).toEqual([
      ['pending', 0o400],
      ['resolve', 0o200],
      ['log', 0o400],
    ]);
    await expect(client.open('approvals/resolve', openMode.read)).rejects.toThrow('permission denied');
    await expect(client.writeAll('approvals/pending', 'x')).rejects.toThrow('permission denied');
  });

  it('answer a question of an agent', async () => {
    const read = pending();
    await client.readAll('help');
    const asked = ask('Which colour?');
    expect(await read).toMatchObject({
      id: 'a-1',
      kind: 'question',
      secret: false,
      session: await id('session/s'),
      agent: await id('session/s/agent/a'),
      host: 'local',
      command: 'Which colour?',
      cwd: served.project,
    });
    await answer({ id: 'a-1', answer: 'blue' });
    expect(await asked).toBe('blue\n');
    const log = await textOf(client, 'approvals/log');
    expect(JSON.parse(log)).toMatchObject({ id: 'a-1', kind: 'question', decision: 'approved', by: expect.stringMatching(/^tester \(/) });
    expect(log).not.toContain('blue');
  });

  it('refuse a question at once while nobody is there, and give the words of a refusal', async () => {
    await expect(ask('Now?')).rejects.toThrow('permission denied: no observer');
    const read = pending();
    await client.readAll('help');
    const asked = ask('Now?').then(String, String);
    const { id: request } = await read;
    await answer({ id: request, error: 'find out yourself' });
    expect(await asked).toContain('permission denied: find out yourself');
  });

  it('take no answer to what is not asked, or is none', async () => {
    await expect(answer({ id: 'a-12', approved: true })).rejects.toThrow('no such request: a-12');
    await expect(client.writeAll('approvals/resolve', 'yes')).rejects.toThrow('illegal argument: not JSON');
    expect(await textOf(client, 'approvals/log')).toBe('');
  });

  it('withdraw a question that is asked no more', async () => {
    const read = pending();
    await client.readAll('help');
    const stop = new AbortController();
    const asked = client.ask('session/s/agent/a/ctl', 'ask Now?\n', stop.signal);
    const { id: request } = await read;
    stop.abort(new Error('never mind'));
    await expect(asked).rejects.toThrow('never mind');
    await client.readAll('help');
    await expect(answer({ id: request, answer: 'x' })).rejects.toThrow(`no such request: ${String(request)}`);
  });

  it('let an agent ask for itself, through its own door, and for nobody else', async () => {
    await client.writeAll('session/s/agent/new', 'name=b\n');
    const agent = await served.dialAgent(await id('session/s/agent/a'));
    const read = pending();
    await client.readAll('help');
    const asked = answerOf(agent, 'session/s/agent/a/ctl', 'ask Which?\n');
    await answer({ id: (await read).id, answer: 'this' });
    expect(await asked).toBe('this\n');
    await expect(answerOf(agent, 'session/s/agent/b/ctl', 'ask Which?\n')).rejects.toThrow(/^permission denied$/);
  });

  it('are events', async () => {
    const read = pending();
    await client.readAll('help');
    const asked = ask('Which?');
    await answer({ id: (await read).id, answer: 'this' });
    await asked;
    const log = Buffer.from(served.services.events.log.slice(0, 100_000)).toString();
    expect(log).toMatch(/"topic":"bypass\.pending",.*"data":\{"id":"a-1","kind":"question"\}/);
    expect(log).toMatch(/"topic":"bypass\.resolved",.*"data":\{"id":"a-1","kind":"question","decision":"approved"\}/);
  });
});
