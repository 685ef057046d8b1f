import { openMode, type Client } from '#ninep';
import type { FakeAnswer } from '#testkit';
import { linesOf } from '../support/event-lines.js';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

describe('events', () => {
  let served: ServedOlliesrv;
  let client: Client;

  async function start(...answers: readonly FakeAnswer[]): Promise<void> {
    served = await ServedOlliesrv.start(answers);
    client = await served.dial();
  }
  afterEach(() => served.close());

  const id = async (directory: string): Promise<string> => (await textOf(client, `${directory}/id`)).trim();

  /** What `events` holds from an offset to its present end. */
  async function logged(from = 0, by = client): Promise<string> {
    const file = await by.open('events', openMode.read);
    let [text, at] = ['', from];
    for (const end = Number((await by.stat('events')).length); at < end;) {
      const piece = await file.read(at, 1000);
      text += new TextDecoder().decode(piece);
      at += piece.length;
    }
    await file.clunk();
    return text;
  }

  it('tell the life of sessions and agents, with ids that stay and names that change', async () => {
    await start({ text: 'done' });
    await client.writeAll('session/new', 'name=s\n');
    await client.writeAll('session/s/agent/new', 'name=a\n');
    const [session, agent] = [await id('session/s'), await id('session/s/agent/a')];
    await client.writeAll('session/s/agent/a/prompt', 'hi');
    await textOf(client, 'session/s/agent/a/chat');
    await client.writeAll('session/s/agent/a/name', 'b\n');
    await client.writeAll('session/s/name', 't\n');
    await answerOf(client, 'session/t/ctl', 'pause\n');
    await answerOf(client, 'session/t/ctl', 'pause\n');
    await answerOf(client, 'session/t/ctl', 'resume\n');
    await answerOf(client, 'session/t/agent/b/ctl', 'kill\n');
    await answerOf(client, 'session/t/ctl', 'kill\n');
    const lines = linesOf(await logged());
    expect(lines.filter(({ topic }) => !/^agent\.(chat|usage|state)$/.test(topic)).map(({ topic, data }) => [topic, data])).toEqual([
      ['session.created', { name: 's' }],
      ['agent.created', { name: 'a', profile: 'default' }],
      ['agent.renamed', { name: 'b', was: 'a' }],
      ['session.renamed', { name: 't', was: 's' }],
      ['session.paused', { name: 't' }],
      ['session.resumed', { name: 't' }],
      ['agent.killed', { name: 'b' }],
      ['session.killed', { name: 't' }],
    ]);
    expect(lines.filter(({ topic }) => topic === 'agent.state').map(({ data }) => `${String(data.state)} ${String(data.action)}`)).toEqual([
      'running ',
      'running thinking',
      'idle ',
      'killed ',
    ]);
    expect(lines.filter(({ topic }) => topic === 'agent.chat').at(-1)?.data).toEqual({ offset: 'user: hi\ndone\n'.length });
    expect(lines.map((line) => line.id)).toEqual(lines.map((_line, at) => at + 1));
    expect(new Set(lines.map((line) => line.session))).toEqual(new Set([session]));
    expect(new Set(lines.filter(({ topic }) => topic.startsWith('agent.')).map((line) => line.agent))).toEqual(new Set([agent]));
    expect(new Set(lines.map(({ epoch }) => epoch)).size).toBe(1);
    for (const { ts } of lines) expect(Math.abs(ts - Date.now())).toBeLessThan(60_000);
  });

  it('come to eventwait: nothing old on a first look, then all that a client has not had, over its reconnects too', async () => {
    await start();
    await client.writeAll('session/new', 'name=old\n');
    const first = await served.dial({ aname: 'client=9.8.7' });
    const stop = new AbortController();
    const waiting = first.readAll('eventwait', stop.signal);
    await first.readAll('help');
    stop.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    first.close();
    for (const name of ['x', 'y']) await client.writeAll('session/new', `name=${name}\n`);
    const second = await served.dial({ aname: 'client=9.8.7' });
    expect(linesOf(await textOf(second, 'eventwait')).map(({ data }) => data)).toEqual([{ name: 'x' }, { name: 'y' }]);
    const next = textOf(second, 'eventwait');
    await client.writeAll('session/new', 'name=z\n');
    expect(linesOf(await next)).toMatchObject([{ topic: 'session.created', data: { name: 'z' } }]);
  });

  it('reach a shell that looks for the first time after its prompt, however fast the turn was', async () => {
    await start({ text: 'done' });
    await client.writeAll('session/new', 'name=s\n');
    await client.writeAll('session/s/agent/new', 'name=a\n');
    const writer = await served.dial({ aname: 'client=9.8.7' });
    await writer.writeAll('session/s/agent/a/prompt', 'hi');
    await textOf(client, 'session/s/agent/a/chat');
    const reader = await served.dial({ aname: 'client=9.6.5' });
    const lines = linesOf(await textOf(reader, 'eventwait'));
    expect(lines.at(-1)).toMatchObject({ topic: 'agent.state', data: { state: 'idle' } });
  });

  it('end a wait of a client that waits so long only, without a word', async () => {
    await start();
    const impatient = await served.dial({ aname: 'wait=50ms' });
    expect(await textOf(impatient, 'eventwait')).toBe('');
  });

  it('are a log: a saved offset is an exact catch-up, and its end blocks', async () => {
    await start();
    for (const name of ['a', 'b', 'c']) await client.writeAll('session/new', `name=${name}\n`);
    const text = await logged();
    const saved = text.indexOf('\n') + 1;
    const other = await served.dial();
    expect(await logged(saved, other)).toBe(text.slice(saved));
    const file = await other.open('events', openMode.read);
    const more = file.read(text.length, 1000);
    await client.writeAll('session/new', 'name=d\n');
    expect(linesOf(new TextDecoder().decode(await more))).toMatchObject([{ data: { name: 'd' } }]);
    expect(await client.stat('events')).toMatchObject({ mode: 0o444 });
  });

  it('that are gone from the log are one line, which says how many and where it goes on', async () => {
    await start();
    const { events } = served.services;
    for (let n = 0; n < 8000; n++) events.publish('error', {}, { text: `${n} ${'x'.repeat(100)}` });
    const impatient = await served.dial({ aname: 'wait=100ms' });
    const [gap, ...lines] = linesOf(await textOf(impatient, 'events'));
    expect(gap).toMatchObject({ topic: 'overflow', data: { offset: events.log.start }, epoch: events.epoch });
    expect(lines[0]?.id).toBe(Number(gap?.data.lost) + 1);
    expect(lines.every((line, at) => at === 0 || line.id === (lines[at - 1]?.id ?? 0) + 1)).toBe(true);
  });

  it('are not for agents', async () => {
    await start();
    await client.writeAll('session/new', 'name=s\n');
    await client.writeAll('session/s/agent/new', 'name=a\n');
    const agent = await served.dialAgent(await id('session/s/agent/a'));
    for (const file of ['events', 'eventwait', 'approvals', 'approvals/pending', 'approvals/log'])
      await expect(agent.readAll(file)).rejects.toThrow(/file does not exist|permission denied/);
    const guest = await served.dialGuest();
    expect((await guest.stat('events')).mode).toBe(0o444);
    for (const file of ['approvals', 'approvals/pending', 'approvals/log'])
      await expect(guest.readAll(file)).rejects.toThrow(/file does not exist|permission denied/);
  });
});
