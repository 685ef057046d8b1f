import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { NotFoundError, PartnerError } from '#model';
import { storeDisk } from '#store';
import { AgentBench, fakeCall, KeptBench, textsOf } from '#testkit';
import { AgentJournal } from './agent-journal.js';
import { lostProcess } from './ended-process.js';
import { KeptProcesses } from './kept-processes.js';

const NEVER = new AbortController().signal;

describe('an agent that is kept, with processes in the background', () => {
  let kept: KeptBench;
  beforeEach(() => {
    kept = new KeptBench();
  });
  afterEach(() => kept.remove());

  const shell = { shell: { info: { background: true } } };
  const start = (id: string, cmd: string) => [{ calls: [fakeCall(id, 'shell', { cmd, background: true })] }, { text: 'it runs' }];
  const processOf = (bench: AgentBench, index = 0) => [...bench.host.servers.values()][0]?.started[index] ?? fail('nothing was started');
  const numbers = (bench: AgentBench) => [...bench.agent.processes.entries()].map(([number]) => number);
  const stateOf = (bench: AgentBench, number: string) => bench.agent.processes.get(number).stat(NEVER);

  async function outputOf(bench: AgentBench, number: string): Promise<Buffer> {
    const process = bench.agent.processes.get(number);
    const [count, bytes] = [await process.outputLength(NEVER), await process.output({ offset: 0, count: 1e6 }, NEVER)];
    expect(count).toBe(bytes.length);
    return Buffer.from(bytes);
  }

  /** Has started two, of which the first has ended with `bytes`. */
  async function withEnded(bytes: Buffer): Promise<AgentBench> {
    const bench = kept.fresh({ answers: [...start('c1', 'make'), ...start('c2', 'serve'), { text: 'told' }], tools: shell });
    await bench.prompt('make it');
    await bench.prompt('serve it');
    processOf(bench).bytes = bytes;
    processOf(bench).end();
    await until(() => bench.chat.includes('told'));
    await bench.idle();
    return bench;
  }

  it.each([
    ['little', Buffer.from([0x6d, 0xff, 0])],
    ['much', Buffer.alloc(300_000, 'x')],
  ])('has what they put out, be it %s, and their state, after a sudden death and in a snapshot', async (_much, bytes) => {
    const first = await withEnded(bytes);
    const second = kept.again();
    second.agent.wake();
    await second.idle();
    second.agent.save();
    for (const bench of [first, second, kept.again()]) {
      expect(numbers(bench)).toEqual(['1', '2']);
      expect(await outputOf(bench, '1')).toEqual(bytes);
      expect(await stateOf(bench, '1')).toBe('id=1\nstate=exited\n');
    }
    expect((await outputOf(second, '2')).toString()).toBe('the server was restarted, and the process ended with it\n');
    expect(await stateOf(second, '2')).toBe('id=2\nstate=exited\ntool=shell\ncmd=serve\nexit=lost\n');
    expect((await second.agent.processInfos(NEVER)).map(({ pid, state, tool }) => [pid, state, tool])).toEqual([
      [1, 'exited', 'shell'],
      [2, 'exited', 'shell'],
    ]);
  });

  it('has what those that an orderly end cut off had put out', async () => {
    const first = kept.fresh({ answers: start('c1', 'serve'), tools: shell });
    await first.prompt('serve it');
    processOf(first).bytes = Buffer.from('listening\n');
    await first.agent.suspend();
    const second = kept.again();
    second.agent.wake();
    await second.idle();
    expect((await outputOf(second, '1')).toString()).toBe('listening\n');
    expect(second.chat).toContain('<system-proc-complete id="1" cmd="serve" exit="lost">');
  });

  it('reads nothing of those that its own end cuts off: nobody could ask for it', async () => {
    const bench = kept.fresh({ answers: start('c1', 'serve'), tools: shell });
    await bench.prompt('serve it');
    const process = processOf(bench);
    process.bytes = Buffer.alloc(300_000, 'x');
    let reads = 0;
    process.outputLength = async () => (reads += 1);
    await bench.agent.kill();
    expect([process.killed, reads, readdirSync(join(kept.data, 'sessions')).includes('a.out')]).toEqual([true, 0, false]);
  });

  it('has one that ended as lost, until the prompt that tells of it is there too', () => {
    const store = kept.store(false);
    const journal = new AgentJournal(store, () => ({ id: 'a' }));
    const processes = new KeptProcesses(journal);
    processes.started({ pid: 1, tool: 'shell', command: 'make' });
    processes.keepEnd(lostProcess({ pid: 1, tool: 'shell', command: 'make' }, 'gone'));
    const kinds = () => kept.journal.split('\n').map((line) => /"t":"(\w+)"/.exec(line)?.[1]);
    expect(kinds()).toEqual(['journal', 'made', 'started', undefined]);
    journal.note({ t: 'prompt' });
    expect(kinds()).toEqual(['journal', 'made', 'started', 'exited', 'prompt', undefined]);
  });

  it('tells of those that were lost, and goes on with what waits, on a disk that takes nothing', async () => {
    const first = kept.fresh({ answers: [...start('c1', 'serve'), { text: ['so far'], hangs: true }], tools: shell });
    await first.prompt('serve it');
    for (const prompt of ['begun', 'second']) first.agent.submit(prompt);
    await until(() => first.chat.endsWith('so far'));
    let isFull = true;
    const writeAt: typeof storeDisk.writeAt = (...all) => {
      if (isFull) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
      return storeDisk.writeAt(...all);
    };
    const second = new AgentBench({ store: kept.store(true, { ...storeDisk, writeAt }) });
    second.agent.hold(true);
    second.agent.wake();
    isFull = false;
    second.agent.hold(false);
    await second.idle();
    const asked = second.backend.requests.map(({ messages }) => textsOf(messages).at(-1));
    expect(asked).toEqual([
      expect.stringMatching(/second$/),
      expect.stringContaining('<system-proc-complete id="1" cmd="serve" exit="lost">'),
    ]);
    const third = kept.again();
    third.agent.wake();
    await third.idle();
    expect(third.backend.requests).toEqual([]);
    expect(numbers(third)).toEqual(['1']);
  });

  it('has what is known of one whose tool server was lost', async () => {
    const first = kept.fresh({ answers: [...start('c1', 'serve'), { text: 'told' }], tools: shell });
    await first.prompt('serve it');
    processOf(first).fail(new PartnerError('toolsrv is gone'));
    await until(() => first.chat.includes('told'));
    await first.idle();
    for (const bench of [first, kept.again()]) {
      expect(await stateOf(bench, '1')).toBe('id=1\nstate=exited\ntool=shell\ncmd=serve\nexit=lost\n');
      expect((await outputOf(bench, '1')).toString()).toContain('toolsrv is gone');
    }
  });

  it('forgets one that its tool server knows no more', async () => {
    const first = await withEnded(Buffer.from('x'));
    processOf(first).order = () => Promise.reject(new NotFoundError('process', '1'));
    await first.agent.processes.order('1', 'dismiss', NEVER);
    expect(numbers(kept.again())).toEqual([]);
  });

  it('forgets what is dismissed', async () => {
    const first = await withEnded(Buffer.alloc(300_000, 'x'));
    await first.agent.processes.order('1', 'dismiss', NEVER);
    expect(processOf(first).orders).toEqual(['dismiss']);
    await until(() => readdirSync(join(kept.data, 'sessions/a.out')).length === 0);
    const second = kept.again();
    expect(numbers(second)).toEqual([]);
    await expect(second.agent.processes.order('1', 'dismiss', NEVER)).rejects.toThrow('no such process: 1');
  });

  it('forgets what is dismissed after a restart', async () => {
    await withEnded(Buffer.from('x'));
    const second = kept.again();
    await expect(second.agent.processes.order('1', 'term', NEVER)).rejects.toThrow('no such process: 1');
    await second.agent.processes.order('1', 'dismiss', NEVER);
    expect(numbers(kept.again())).toEqual([]);
  });

  it('goes on with the process itself where the disk does not take its output', async () => {
    const bench = kept.fresh({ answers: [...start('c1', 'make'), { text: 'told' }], tools: shell });
    await bench.prompt('make it');
    writeFileSync(join(kept.data, 'sessions/a.out'), 'no directory');
    processOf(bench).bytes = Buffer.alloc(300_000, 'x');
    processOf(bench).end();
    await until(() => bench.chat.includes('told'));
    expect(await outputOf(bench, '1')).toHaveLength(300_000);
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 5));
}
