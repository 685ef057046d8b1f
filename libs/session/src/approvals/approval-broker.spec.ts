import { setImmediate } from 'node:timers/promises';
import { logTo, silentLog } from '#config';
import type { ApprovalDecision, ApprovalRequest } from '#model';
import { FakeClock, FakeEvents } from '#testkit';
import type { Client } from '#virtfs';
import { ApprovalBroker } from './approval-broker.js';

const NEVER = new AbortController().signal;
const me: Client = { role: 'user', uname: 'me', aname: '', tag: 'c1' };
const you: Client = { role: 'user', uname: 'you', aname: '', tag: 'c2' };
const bypass: ApprovalRequest = {
  kind: 'bypass',
  session: 's-1',
  agent: 'a-1',
  host: 'local',
  tool: 'shell',
  command: 'apt update',
  cwd: '/p',
  env: { HOME: '/h' },
  more: { args: { cmd: 'apt update' }, hash: 'f00' },
};
const question: ApprovalRequest = { ...bypass, kind: 'question', tool: '', command: 'Which colour?', env: {}, more: {} };

describe('the broker of approvals', () => {
  let clock: FakeClock;
  let events: FakeEvents;
  let broker: ApprovalBroker;
  let logged: string;

  beforeEach(() => {
    clock = FakeClock.stopped();
    events = new FakeEvents();
    logged = '';
    const log = logTo([{ write: (line) => void (logged += line), flush: async () => undefined }], 'test', 'warn');
    broker = new ApprovalBroker({ clock, events, log });
  });

  const look = (client = me, signal = NEVER): Promise<string> => broker.pending.next(client, signal);
  const shown = async (client = me): Promise<Record<string, unknown>> => JSON.parse(await look(client)) as Record<string, unknown>;
  const ask = (request = bypass, signal = NEVER): Promise<ApprovalDecision> => broker.ask(request, signal);
  const answer = (words: object, client = me): void => broker.resolve(JSON.stringify(words), client);
  const record = (): Record<string, unknown>[] =>
    Buffer.from(broker.log.slice(0, 1_000_000))
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  /** Somebody reads, and then holds what is asked. */
  async function held(request = bypass): Promise<{ decision: Promise<ApprovalDecision>; id: string }> {
    const read = shown();
    const decision = ask(request);
    return { decision, id: String((await read).id) };
  }

  it('shows a request as the contract has it', async () => {
    const read = look();
    void ask();
    const ts = clock.now();
    expect(await read).toBe(
      '{"id":"a-1","kind":"bypass","secret":false,"session":"s-1","agent":"a-1","host":"local","tool":"shell","command":"apt update",' +
        `"cwd":"/p","env":{"HOME":"/h"},"ts":${ts},"expires":${ts + 300_000},"args":{"cmd":"apt update"},"hash":"f00"}`,
    );
  });

  it('shows nothing that a terminal would act on, and no extra takes the place of a field', async () => {
    const { id } = await held({ ...question, command: 'a\u001b[2J\u202eb', more: { id: 'a-9', why: '\u202e' } });
    expect(id).toBe('a-1');
    void ask({ ...question, command: 'a\u001b[2J\u202eb', more: { why: '\u202e' } });
    const text = await look();
    expect(text).toMatch(/^[\u0020-\u007e]*$/);
    expect(JSON.parse(text)).toMatchObject({ command: 'a\\x1b[2J\\u202eb', why: '\u202e' });
  });

  it('takes the first answer, and no second one', async () => {
    const { decision, id } = await held();
    answer({ id, approved: true, scope: 'session' });
    expect(() => answer({ id, error: 'no' }, you)).toThrow('no such request: a-1');
    expect(await decision).toEqual({ decision: 'approved', by: 'me (c1)', scope: 'session' });
    expect(() => answer({ id: 'a-7', approved: true })).toThrow('no such request: a-7');
  });

  it('gives back the words of a refusal and of an answer', async () => {
    const first = await held();
    answer({ id: first.id, error: 'not on my machine' });
    expect(await first.decision).toEqual({ decision: 'rejected', by: 'me (c1)', text: 'not on my machine' });
    const second = await held(question);
    expect(() => answer({ id: second.id, approved: true })).toThrow('illegal argument: a question takes an answer');
    answer({ id: second.id, answer: 'blue' });
    expect(await second.decision).toMatchObject({ decision: 'approved', answer: 'blue' });
    const third = await held();
    expect(() => answer({ id: third.id, answer: 'blue' })).toThrow('illegal argument: nothing was asked that words can answer');
    expect(() => answer({ id: third.id, approved: true, hash: 'f01' })).toThrow('illegal argument: the hash is that of another request');
    answer({ id: third.id, approved: true, hash: 'f00' });
    expect(await third.decision).toMatchObject({ decision: 'approved' });
  });

  it('refuses at once while nobody is there', async () => {
    expect(await ask()).toEqual({ decision: 'no observer' });
    expect(events.of('bypass.pending')).toEqual([]);
    expect(record()).toMatchObject([{ id: 'a-1', decision: 'no observer', waitedMs: 0 }]);
  });

  it('counts a reader as there for 5 s after its read, and as long as it has an open request in hand', async () => {
    const left = new AbortController();
    const read = look(me, left.signal);
    expect(broker.isObserved).toBe(true);
    left.abort();
    await expect(read).rejects.toThrow('interrupted');
    clock.advance(4999);
    const waiting = ask();
    clock.advance(1);
    expect(await waiting).toEqual({ decision: 'no observer' });
    const { decision, id } = await held();
    clock.advance(200_000);
    await setImmediate();
    expect(broker.isObserved).toBe(true);
    answer({ id, approved: true });
    expect(await decision).toMatchObject({ decision: 'approved' });
    clock.advance(5000);
    await setImmediate();
    expect(broker.isObserved).toBe(false);
  });

  it('tells when somebody comes and when the last has gone', async () => {
    const heard: boolean[] = [];
    const leave = broker.onPresence((isObserved) => heard.push(isObserved));
    const left = new AbortController();
    const reads = [look(me, left.signal), look(you, left.signal)];
    left.abort();
    await Promise.allSettled(reads);
    expect(heard).toEqual([true]);
    clock.advance(5000);
    await setImmediate();
    expect(heard).toEqual([true, false]);
    leave();
    void Promise.allSettled([look()]);
    expect(heard).toEqual([true, false]);
  });

  it('ends a request when its time is over, or when it is withdrawn', async () => {
    const { decision } = await held();
    clock.advance(5000);
    await setImmediate();
    clock.advance(295_000);
    expect(await decision).toEqual({ decision: 'timed out', afterMs: 300_000 });
    expect(broker.isObserved).toBe(true); // who had it will look for the next one
    const soon = await held({ ...bypass, expires: clock.now() + 10 });
    clock.advance(10);
    expect(() => answer({ id: soon.id, approved: true })).toThrow('no such request: a-2');
    expect(await soon.decision).toMatchObject({ decision: 'timed out' });
    const off = new AbortController();
    const read = shown();
    const withdrawn = ask(bypass, off.signal);
    const { id } = await read;
    off.abort();
    expect(await withdrawn).toEqual({ decision: 'withdrawn' });
    expect(() => answer({ id, approved: true })).toThrow('no such request: a-3');
    expect(await ask(bypass, AbortSignal.abort())).toEqual({ decision: 'withdrawn' });
  });

  it('gives every client each open request once, the oldest first, also on its first look', async () => {
    await held();
    void ask(question);
    expect((await shown(me)).id).toBe('a-2');
    expect([(await shown(you)).id, (await shown(you)).id]).toEqual(['a-1', 'a-2']);
    const third = shown(you);
    void ask();
    expect((await third).id).toBe('a-3');
  });

  it('puts nothing before anybody that is too long to be shown whole, nor more than 256 at a time', async () => {
    await held();
    expect(await ask({ ...question, command: 'x'.repeat(90_000) })).toMatchObject({ decision: 'rejected', by: 'olliesrv' });
    for (let n = 1; n < 256; n++) void ask();
    expect(await ask()).toMatchObject({ decision: 'rejected', text: 'too many requests are waiting' });
  });

  it('publishes and writes down who decided what, without environment and without answers', async () => {
    const { decision, id } = await held({ ...question, env: { TOKEN: 'planted' } });
    clock.advance(1500);
    answer({ id, answer: 'my secret colour' });
    await decision;
    expect(record()).toEqual([
      expect.objectContaining({
        id: 'a-1',
        kind: 'question',
        decision: 'approved',
        by: 'me (c1)',
        waitedMs: 1500,
        session: 's-1',
        command: 'Which colour?',
      }),
    ]);
    expect(logged).toContain('"decision":"approved"');
    expect(logged + JSON.stringify(record())).not.toMatch(/planted|my secret/);
    expect(events.published).toEqual([
      { topic: 'bypass.pending', subject: { session: 's-1', agent: 'a-1' }, data: { id: 'a-1', kind: 'question' } },
      { topic: 'bypass.resolved', subject: { session: 's-1', agent: 'a-1' }, data: { id: 'a-1', kind: 'question', decision: 'approved' } },
    ]);
  });

  it('keeps 1 MiB of what it wrote down', async () => {
    const quiet = new ApprovalBroker({ clock, events, log: silentLog });
    for (let n = 0; n < 4000; n++) await quiet.ask({ ...bypass, command: 'x'.repeat(400) }, NEVER);
    expect(quiet.log.length - quiet.log.start).toBeLessThanOrEqual(1024 * 1024);
  });
});
