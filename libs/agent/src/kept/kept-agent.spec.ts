import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson, textResult } from '#model';
import { storeDisk } from '#store';
import { AgentBench, type BenchOptions, checkPairing, fakeCall, KeptBench, rolesOf, textsOf } from '#testkit';
import { listOf } from './kept-values.js';

const HEAD = '{"t":"journal","generation":0}\n';

/** An agent, its sudden death (it is just left), and the one that comes after it. */
describe('an agent that is kept', () => {
  let bench: KeptBench;
  let data: string;
  beforeEach(() => {
    bench = new KeptBench();
    ({ data } = bench);
  });
  afterEach(() => bench.remove());

  const fresh = (options: BenchOptions = {}) => bench.fresh(options);
  const again = (options: BenchOptions = {}) => bench.again(options);
  const store = (isRestored: boolean, disk = storeDisk) => bench.store(isRestored, disk);
  const written = () => bench.written();
  const journal = () => bench.journal;
  const isWorking = () => bench.isWorking;

  it('has its conversation, plan, counts and transcript again', async () => {
    const first = fresh({
      answers: [{ calls: [fakeCall('c1', 'ls')] }, { text: ['seen'] }],
      tools: { ls: { run: () => textResult('a.txt\n') } },
    });
    await first.prompt('look');
    first.agent.plan.write(0, Buffer.from('ab\xff', 'latin1'), 'u');
    first.agent.plan.truncate(4, 'u');
    const second = again({ answers: [{ text: ['more'] }] });
    expect(second.chat).toBe(first.chat);
    expect(second.agent.stats()).toBe(first.agent.stats());
    expect(Buffer.from(second.agent.plan.bytes).toString('latin1')).toBe('ab\xff\0');
    await second.prompt('go on');
    expect(rolesOf(second.backend.requests[0]?.messages)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    expect(textsOf(second.backend.requests[0]?.messages)).toEqual(['look', '', 'a.txt\n', 'seen', 'go on']);
    expect(second.blocks().map(({ attributes }) => Number(attributes.id))).toEqual(second.blocks().map((_block, index) => index + 1));
  });

  it('is read while its tool server starts', async () => {
    await fresh().prompt('one');
    const kept = store(true);
    const order: string[] = [];
    const load = kept.files.load.bind(kept.files);
    kept.files.load = () => (order.push('read'), load());
    const second = new AgentBench({ store: kept });
    second.host.prepare = () => void order.push('prepare');
    await second.prompt('two');
    expect(order).toEqual(['prepare', 'read']);
  });

  it('reports a turn that was cut off, gives lost calls a result, and runs what waited, once and in order', async () => {
    const first = fresh({
      answers: [{ calls: [fakeCall('c1', 'hang'), fakeCall('c2', 'hang')] }],
      tools: { hang: { run: () => new Promise(() => undefined) } },
    });
    first.agent.submit('begun');
    first.agent.submit('second');
    first.agent.inject('quick');
    first.agent.submit('third');
    await until(() => first.roles.includes('call'));
    expect(isWorking()).toBe(true);

    const second = again();
    second.agent.wake();
    await second.idle();
    const asked = second.backend.requests.map(({ messages }) => textsOf(messages).at(-1));
    expect(asked).toEqual(['quick', 'second', 'third']);
    for (const { messages } of second.backend.requests) checkPairing(messages);
    const lost = second.backend.requests[0]?.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(textsOf(lost).every((text) => text.startsWith('interrupted: the server was restarted'))).toBe(true);
    expect(lost).toHaveLength(2);
    expect(second.lines.filter((line) => line.startsWith('error: '))).toEqual([
      'error: interrupted: the server was restarted during this turn; its prompt was not run again',
    ]);
    expect(isWorking()).toBe(false);

    const third = again();
    third.agent.wake();
    await third.idle();
    expect(third.backend.requests).toEqual([]);
    expect(third.chat).toBe(second.chat);
  });

  it('has the results of reads that had finished beside one that had not', async () => {
    const first = fresh({
      answers: [{ calls: ['r1', 'r2', 'r3', 'r4'].map((id) => fakeCall(id, 'read')) }],
      tools: {
        read: { info: { parallel: 'read' }, run: ({ id }) => (id === 'r2' ? new Promise(() => undefined) : textResult(`${id} is read\n`)) },
      },
    });
    first.agent.submit('look');
    await until(() => journal().includes('r4 is read') && journal().includes('r3 is read'));
    expect(first.blocks().filter(({ role }) => role === 'tool')).toHaveLength(1);

    const second = again();
    second.agent.wake();
    expect(second.blocks().flatMap(({ role, attributes }) => (role === 'tool' ? [`${attributes.call} ${attributes.error}`] : []))).toEqual([
      'r1 false',
      'r2 true',
      'r3 false',
      'r4 false',
    ]);
    await second.prompt('go on');
    const { messages = [] } = second.backend.requests[0] ?? {};
    checkPairing(messages);
    expect(textsOf(messages.slice(2, 6))).toEqual(['r1 is read\n', expect.stringMatching(/^interrupted/), 'r3 is read\n', 'r4 is read\n']);
  });

  it('has them in a snapshot too', async () => {
    const first = fresh({
      answers: [{ calls: ['r1', 'r2'].map((id) => fakeCall(id, 'read')) }],
      tools: { read: { info: { parallel: 'read' }, run: ({ id }) => (id === 'r1' ? new Promise(() => undefined) : textResult('seen\n')) } },
    });
    first.agent.submit('look');
    await until(() => journal().includes('seen'));
    first.agent.save();
    expect(journal()).not.toContain('seen');
    const second = again();
    second.agent.wake();
    expect(textsOf(second.agent.context.entries().map(([, message]) => message))).toEqual([
      'look',
      '',
      expect.stringMatching(/^interrupted/),
      'seen\n',
    ]);
  });

  it.each(['journal', 'snapshot'])('looks only at its newest turn in the transcript (%s)', async (where) => {
    const first = fresh({ answers: [{ text: 'a' }, { text: ['half a line'], hangs: true }] });
    await first.prompt('one');
    first.agent.submit('two');
    await until(() => first.chat.endsWith('half a line'));
    if (where === 'snapshot') first.agent.save();
    const blocks = again().agent.transcript.resume();
    expect(blocks.map(({ content }) => content)).toEqual(['running\n', 'two', 'half a line']);
  });

  it('ends a block that was being written, whatever it held', async () => {
    const first = fresh({ answers: [{ text: ['half a line'], hangs: true }] });
    first.agent.submit('go');
    await until(() => first.chat.endsWith('half a line'));
    const second = again();
    second.agent.wake();
    expect(second.blocks('state').map(({ role, content }) => [role, content])).toEqual([
      ['user', 'go'],
      ['assistant', 'half a line'],
      ['error', 'interrupted: the server was restarted during this turn; its prompt was not run again\n'],
    ]);
    expect(second.chat).toBe(
      'user: go\nhalf a line\nerror: interrupted: the server was restarted during this turn; its prompt was not run again\n',
    );
  });

  it.each(['[', '[[[/assist', '[[[tool id=9'])('drops a marker line that was torn (%s)', async (torn) => {
    const first = fresh();
    await first.prompt('go');
    appendFileSync(join(data, 'sessions/a.chat'), torn);
    const second = again();
    await second.prompt('more');
    expect(second.roles.filter((role) => role === 'user')).toHaveLength(2);
  });

  it('keeps what waits, and what was put in, when it is suspended', async () => {
    const first = fresh({ answers: [{ calls: [fakeCall('c1', 'hang')] }], tools: { hang: { run: () => new Promise(() => undefined) } } });
    first.agent.submit('begun');
    first.agent.submit('second');
    first.agent.queue.push('third');
    await until(() => first.roles.includes('call'));
    first.agent.inject('quick');
    await first.agent.suspend();
    const second = again();
    second.agent.wake();
    await second.idle();
    expect(second.backend.requests.map(({ messages }) => textsOf(messages).at(-1))).toEqual(['quick', 'second', 'third']);
  });

  it('keeps a queue waiting that waited for the next prompt, also when it is suspended', async () => {
    const first = fresh();
    first.agent.queue.push('patient');
    await first.agent.suspend();
    const second = again();
    second.agent.wake();
    expect(second.agent.queue.lines()).toBe('1\tuser\tpatient\n');
    expect(second.backend.requests).toEqual([]);
  });

  it('keeps a queue waiting that waited for the next prompt', async () => {
    const first = fresh();
    first.agent.queue.push('patient');
    const second = again();
    second.agent.wake();
    await second.idle();
    expect(second.backend.requests).toEqual([]);
    await second.prompt('now');
    expect(second.backend.requests.map(({ messages }) => textsOf(messages).at(-1))).toEqual(['patient', 'now']);
  });

  it('is still found by its work after two deaths while its session is paused', async () => {
    const first = fresh();
    first.agent.hold(true);
    first.agent.submit('waits');
    const second = again();
    second.agent.hold(true);
    second.agent.wake();
    expect(second.agent.state.value).toBe('paused');
    expect(isWorking()).toBe(true);
    const third = again();
    third.agent.wake();
    await third.idle();
    expect(third.backend.requests.map(({ messages }) => textsOf(messages).at(-1))).toEqual(['waits']);
    expect(isWorking()).toBe(false);
  });

  it('hears of processes that ended with the server, once', async () => {
    const first = fresh({
      answers: [{ calls: [fakeCall('c1', 'shell', { cmd: 'make', background: true })] }],
      tools: { shell: { info: { background: true }, run: () => new Promise(() => undefined) } },
    });
    await first.prompt('build');
    expect(isWorking()).toBe(true);
    const second = again();
    second.agent.wake();
    await second.idle();
    expect(second.backend.requests.map(({ messages }) => textsOf(messages).at(-1))).toEqual([
      expect.stringMatching(/^<system-proc-complete id="\d+" cmd="make" exit="lost">/),
    ]);
    expect(isWorking()).toBe(false);
    const third = again();
    third.agent.wake();
    expect(third.agent.state.value).toBe('idle');
  });

  it('has whole pairs and an acknowledged prefix, wherever its journal was cut', async () => {
    const first = fresh({
      answers: [
        { calls: [fakeCall('c1', 'ls'), fakeCall('c2', 'ls')] },
        { text: 'seen' },
        { calls: [fakeCall('c3', 'ls')] },
        { text: 'end' },
      ],
      tools: { ls: { run: () => textResult('a\n') } },
      profile: { autoLoad: ['ls'] },
    });
    first.agent.submit('one');
    first.agent.submit('two');
    await first.idle();
    await written();
    const whole = readFileSync(join(data, 'sessions/a.jsonl'));
    rmSync(join(data, 'sessions/a.json'), { force: true });
    const begin = whole.indexOf('\n') + 1;
    for (let cut = begin; cut <= whole.length; cut += 7) {
      writeFileSync(join(data, 'sessions/a.jsonl'), Buffer.concat([Buffer.from(HEAD), whole.subarray(begin, cut)]));
      rmSync(join(data, 'sessions/a.chat'), { force: true });
      const second = again();
      second.agent.wake();
      await second.idle();
      await second.prompt('go on');
      const { messages = [] } = second.backend.requests.at(-1) ?? {};
      checkPairing(messages);
      expect(textsOf(messages).join('|')).toContain('go on');
    }
  });

  it('writes nothing as long as nothing happens', async () => {
    await fresh().prompt('go');
    const before = journal();
    const second = again();
    second.agent.stats();
    expect(second.agent.context.index()).toContain('user');
    expect(journal()).toBe(before);
  });

  it('has a snapshot after the first round, in the middle of the turn', async () => {
    const first = fresh({
      answers: [{ calls: [fakeCall('c1', 'ls')] }, { text: ['x'], hangs: true }],
      tools: { ls: { run: () => textResult('a.txt\n') } },
    });
    first.agent.submit('look');
    await until(() => first.chat.endsWith('x'));
    await written();
    const snapshot = parseJson(readFileSync(join(data, 'sessions/a.json'), 'utf8'));
    if (!isJsonObject(snapshot)) throw new Error('no snapshot');
    expect(Object.keys(snapshot).slice(0, 4)).toEqual(['id', 'agent', 'messages', 'taskState']);
    expect(listOf(snapshot.messages).map((message) => isJsonObject(message) && message.role)).toEqual(
      expect.arrayContaining(['user', 'assistant', 'tool']),
    );
    await first.agent.kill();
  });

  it('does not wait for the disk between two turns, and comes back whole at any moment of that', async () => {
    let release = () => {};
    const write = (path: string, text: string) =>
      new Promise<void>((resolve) => (release = resolve)).then(() => storeDisk.write(path, text));
    const first = new AgentBench({
      answers: [{ text: 'a' }, { text: 'b' }, { text: 'c' }],
      store: store(false, { ...storeDisk, write }),
    });
    await first.prompt('one');
    await new Promise((resolve) => setImmediate(resolve));
    await first.prompt('two');
    const kept = () =>
      textsOf(
        again()
          .agent.context.entries()
          .map(([, message]) => message),
      );
    const told = ['one', 'a', 'two', 'b'];
    expect(kept()).toEqual(told);
    release();
    await written();
    expect(kept()).toEqual(told);
    await first.prompt('three');
    expect(kept()).toEqual([...told, 'three', 'c']);
  });

  it('keeps large results and images once, outside of the journal', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(90_000, 7).toString('base64') } as const;
    const tools = { look: { run: () => ({ content: [image], isError: false }) } };
    const first = fresh({ answers: [{ calls: [fakeCall('c1', 'look')] }, {}, { calls: [fakeCall('c2', 'look')] }], tools });
    await first.prompt('x'.repeat(70_000));
    await first.prompt('again');
    expect(journal().length).toBeLessThan(80_000);
    const second = again();
    await second.prompt('more');
    const messages = second.backend.requests[0]?.messages ?? [];
    expect(messages[2]?.content).toEqual([image]);
    expect(textsOf(messages)[0]).toHaveLength(70_000);
  });

  it('costs the same to keep in the 300th turn as in the 10th', async () => {
    const bench = fresh();
    const grown: number[] = [];
    for (let turn = 0; turn < 300; turn += 1) {
      const before = journal0();
      await bench.prompt('same');
      grown.push(journal0() - before);
    }
    expect(grown[299]).toBeLessThan((grown[9] ?? 0) + 50);
  });

  function journal0(): number {
    return statSync(join(data, 'sessions/a.jsonl'), { throwIfNoEntry: false })?.size ?? 0;
  }
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
