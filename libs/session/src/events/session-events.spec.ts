import { logTo, silentLog } from '#config';
import type { Topic } from '#model';
import { FakeClock } from '#testkit';
import type { Client } from '#virtfs';
import { SessionEvents } from './session-events.js';
import { DELIVERY, matches } from './topics.js';

const NEVER = new AbortController().signal;
const client = (tag: string, leader?: string): Client => ({
  role: 'user',
  uname: 'u',
  aname: '',
  tag,
  ...(leader !== undefined && { leader }),
});
const s = { session: 's1' };
const a = { session: 's1', agent: 'a1' };

function eventsOf(log = silentLog): SessionEvents {
  return new SessionEvents(new FakeClock(1000), log);
}

function rename(events: SessionEvents, many: number): void {
  for (let n = 1; n <= many; n++) events.publish('session.renamed', s, { name: `n${n}`, was: `n${n - 1}` });
}

async function read(events: SessionEvents, tag: string, signal = NEVER): Promise<readonly Record<string, unknown>[]> {
  const text = await events.ring.next(client(tag), signal);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('subscribers', () => {
  it('hear of their topics at once, in the order in which they came', () => {
    const events = eventsOf();
    const heard: string[] = [];
    events.subscribe('agent.*', ({ topic }) => heard.push(`1 ${topic}`));
    const leave = events.subscribe('*', ({ topic }) => heard.push(`2 ${topic}`));
    events.subscribe('session.created', ({ topic, data }) => heard.push(`3 ${topic} ${JSON.stringify(data)}`));
    events.publish('session.created', s, { name: 'x' });
    events.publish('agent.killed', a, { name: 'y' });
    leave();
    events.publish('agent.killed', a, { name: 'y' });
    expect(heard).toEqual(['2 session.created', '3 session.created {"name":"x"}', '1 agent.killed', '2 agent.killed', '1 agent.killed']);
  });

  it('that throw are logged, and neither the publisher nor the others notice', () => {
    let logged = '';
    const events = eventsOf(logTo([{ write: (line) => void (logged += line), flush: async () => undefined }], 'test', 'warn'));
    const heard: number[] = [];
    events.subscribe('*', () => {
      throw new Error('oh no');
    });
    events.subscribe('*', ({ id }) => heard.push(id));
    rename(events, 2);
    expect(heard).toEqual([1, 2]);
    expect(logged).toContain('event session.renamed: a subscriber failed: oh no');
  });

  it('that publish are heard of after everybody has heard of what caused it', () => {
    const events = eventsOf();
    const heard: Topic[] = [];
    events.subscribe('session.killed', () => events.publish('error', {}, { text: 'x' }));
    events.subscribe('*', ({ topic }) => heard.push(topic));
    events.publish('session.killed', s, { name: 'x' });
    expect(heard).toEqual(['session.killed', 'error']);
  });

  it('choose topics by their exact name, by the part before the dot, or all', () => {
    expect(matches('agent.*', 'agent.chat')).toBe(true);
    expect(matches('agent.*', 'session.saved')).toBe(false);
    expect(matches('*', 'error')).toBe(true);
    expect(matches('agent.chat', 'agent.chat')).toBe(true);
    expect(matches('session.*', 'error')).toBe(false);
    expect(Object.keys(DELIVERY).sort()).toEqual(
      `session.created session.renamed session.killed session.paused session.resumed session.saved agent.created agent.renamed
      agent.killed agent.state agent.chat agent.usage agent.profile tools.changed proc.started proc.exited bypass.pending
      bypass.resolved toolsrv.connected toolsrv.lost error`
        .split(/\s+/)
        .sort(),
    );
  });
});

describe('eventwait', () => {
  it('gives lines of JSON with number, time, topic, ids, data and epoch', async () => {
    const events = eventsOf();
    const first = events.ring.next(client('c'), NEVER);
    events.publish('agent.state', a, { state: 'idle', action: '' });
    expect(await first).toBe(
      '{"id":1,"ts":1000,"topic":"agent.state","session":"s1","agent":"a1","data":{"state":"idle","action":""},"epoch":1000}\n',
    );
  });

  it('gives each client what came since its last look, and waits for more', async () => {
    const events = eventsOf();
    rename(events, 1);
    const waiting = read(events, 'c');
    rename(events, 2);
    expect((await waiting).map(({ id }) => id)).toEqual([2, 3]);
    rename(events, 2);
    expect((await read(events, 'c')).map(({ id }) => id)).toEqual([4, 5]);
    await expect(read(events, 'c', AbortSignal.timeout(20))).rejects.toThrow('interrupted');
    rename(events, 1);
    expect((await read(events, 'c')).map(({ id }) => id)).toEqual([6]);
  });

  it('starts for a shell where its prompt was written', async () => {
    const events = eventsOf();
    rename(events, 1);
    events.markSeen(client('7.1', '7'));
    rename(events, 1);
    expect(await events.ring.next(client('7.2', '7'), NEVER)).toContain('"id":2,');
    await expect(events.ring.next(client('8.1', '8'), AbortSignal.timeout(20))).rejects.toThrow('interrupted');
  });

  it('says how many are lost to a client that reads too rarely, exactly', async () => {
    const events = eventsOf();
    await expect(read(events, 'c', AbortSignal.timeout(5))).rejects.toThrow('interrupted');
    rename(events, 4096 + 7);
    const text = await events.ring.next(client('c'), NEVER);
    expect(text.slice(0, text.indexOf('\n') + 1)).toBe('{"topic":"overflow","data":{"lost":7}}\n');
    const ids = [
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ];
    while (ids.flat().at(-1) !== 4103) ids.push((await read(events, 'c')).map(({ id }) => Number(id)));
    expect(ids.flat()).toEqual(Array.from({ length: 4096 }, (_, at) => at + 8));
    expect(ids.length).toBeGreaterThan(10); // no answer is longer than the smallest messages of 9P take
  });

  it('gives of chat the newest of each agent, and forgets nothing else because of it', async () => {
    jest.useFakeTimers();
    const events = eventsOf();
    await expect(read(events, 'c', AbortSignal.abort())).rejects.toThrow('interrupted');
    rename(events, 1);
    for (let offset = 1; offset <= 20_000; offset++) {
      events.publish('agent.chat', a, { offset });
      jest.advanceTimersByTime(10);
    }
    rename(events, 1);
    jest.useRealTimers();
    const got = await read(events, 'c');
    expect(got.map(({ topic, data }) => [topic, data])).toEqual([
      ['session.renamed', { name: 'n1', was: 'n0' }],
      ['agent.chat', { offset: 20_000 }],
      ['session.renamed', { name: 'n1', was: 'n0' }],
    ]);
  });

  it('counts no chat as lost, and keeps its number also when an old piece of chat has gone', async () => {
    jest.useFakeTimers();
    const events = eventsOf();
    await expect(read(events, 'c', AbortSignal.abort())).rejects.toThrow('interrupted');
    events.publish('agent.chat', { session: 's1', agent: 'seldom' }, { offset: 1 });
    for (let n = 0; n < 5000; n++) {
      events.publish('agent.chat', { session: 's1', agent: `a${n % 50}` }, { offset: n });
      jest.advanceTimersByTime(1000);
      rename(events, 1);
    }
    events.publish('agent.chat', { session: 's1', agent: 'seldom' }, { offset: 2 });
    jest.useRealTimers();
    const text = await events.ring.next(client('c'), NEVER);
    expect(text.slice(0, text.indexOf('\n'))).toBe(`{"topic":"overflow","data":{"lost":${5000 - (4096 - 51)}}}`);
  });

  it('remembers 1,024 clients', async () => {
    const events = eventsOf();
    for (let n = 0; n <= 1024; n++) await expect(read(events, `c${n}`, AbortSignal.abort())).rejects.toThrow('interrupted');
    rename(events, 1);
    expect(await read(events, 'c1')).toHaveLength(1);
    await expect(read(events, 'c0', AbortSignal.timeout(20))).rejects.toThrow('interrupted');
  });
});

describe('a burst of chat', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is told at once, then 25 times a second, and its last before what the agent does next', () => {
    const events = eventsOf();
    const heard: unknown[] = [];
    events.subscribe('*', ({ topic, data }) => heard.push(topic === 'agent.chat' ? data.offset : topic));
    for (let offset = 1; offset <= 100; offset++) {
      events.publish('agent.chat', a, { offset });
      jest.advanceTimersByTime(10);
    }
    expect(heard.length).toBeGreaterThanOrEqual(25);
    expect(heard.length).toBeLessThanOrEqual(27);
    events.publish('agent.chat', a, { offset: 101 });
    events.publish('agent.state', a, { state: 'idle', action: '' });
    expect(heard.slice(-2)).toEqual([101, 'agent.state']);
    jest.advanceTimersByTime(1000);
    expect(heard.at(-1)).toBe('agent.state');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('of one agent does not hold up that of another, and 200 agents share 200 events a second', () => {
    const events = eventsOf();
    const heard: (string | undefined)[] = [];
    events.subscribe('agent.chat', ({ subject }) => heard.push(subject.agent));
    for (let tick = 0; tick < 250; tick++) {
      for (let agent = 0; agent < 200; agent++) events.publish('agent.chat', { session: 's', agent: `a${agent}` }, { offset: tick });
      jest.advanceTimersByTime(20);
    }
    expect(new Set(heard).size).toBe(200);
    expect(heard.length).toBeLessThan(200 * 8);
    expect(heard.length).toBeGreaterThan(200 * 4);
  });
});
