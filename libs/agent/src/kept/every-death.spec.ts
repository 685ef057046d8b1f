import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { textResult } from '#model';
import { AgentBench, type BenchOptions, checkPairing, deadlyDisk, fakeCall, KeptBench } from '#testkit';
import type { Block } from '../parse-markup.js';
import { plainText } from '../plain-text.js';

const LONG = `${'[[[long\n'.repeat(300)}é`;
const INTERRUPTED = 'interrupted: the server was restarted during this turn; its prompt was not run again\n';

/** What somebody outside knew at the moment of a death. */
interface Death {
  readonly data: string;
  /** Prompts that were taken. */
  readonly taken: readonly string[];
  /** What readers of `chat` had. */
  readonly chat: string;
}

/** One life of an agent with its sudden death at each of its writes, and within each; then the next life, with its deaths. */
describe('an agent that dies at any moment', () => {
  let root: string;
  let deaths: Death[];
  let benches: KeptBench[];
  let copies: number;
  let onSave: () => void;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'ollie-deaths-'));
    [deaths, benches, copies, onSave] = [[], [], 0, () => undefined];
  });
  afterEach(async () => {
    await Promise.all(benches.map((bench) => bench.written()));
    rmSync(root, { recursive: true });
  });

  const tools = {
    read: { info: { parallel: 'read' as const }, run: ({ id }: { id: string }) => textResult(`${id} is read\n`) },
    run: { run: () => textResult('[[[ran\n') },
    save: { run: () => (onSave(), textResult('')) },
  };
  const answers = [
    { reasoning: 'hm', text: ['I ', 'read.\n[[', '[both'], calls: [fakeCall('r1', 'read'), fakeCall('r2', 'read')] },
    { calls: [fakeCall('r1', 'run', { command: 'a\nb' })] },
    { text: ['\ud83d', '\ude00x\r\n', '\\[[[y\n\\\\', '[[[', '\n[', 'z', '\ud83d', 'lone', '\n[[', '['], calls: [fakeCall('r1', 'save')] },
    { text: '', calls: [fakeCall('', 'run'), fakeCall('', 'run')] },
    { text: ['all ', 'of it\n'] },
    { fails: new Error('a bug') },
    { text: 'last' },
  ];

  function bench(data: string): KeptBench {
    const made = new KeptBench(data);
    benches.push(made);
    return made;
  }

  /** An agent whose deaths are kept from now on. */
  function mortal(data: string, isRestored: boolean, taken: readonly string[], options: BenchOptions): AgentBench {
    const started: AgentBench[] = [];
    const disk = deadlyDisk(() => {
      const copy = join(root, `death${String((copies += 1))}`);
      cpSync(data, copy, { recursive: true });
      deaths.push({ data: copy, taken: [...taken], chat: started[0]?.chat ?? '' });
    });
    const agent = new AgentBench({ ...options, store: bench(data).store(isRestored, disk) });
    started.push(agent);
    return agent;
  }

  async function firstLife(): Promise<void> {
    const taken: string[] = [];
    const first = mortal(join(root, 'live'), false, taken, { answers, tools });
    first.host.output = async function* () {
      yield { pid: 1, bytes: Buffer.from('live [[[\n[[[x') };
    };
    onSave = () => {
      first.agent.inject('now \ud83d');
      first.agent.save();
    };
    for (const prompt of ['one', LONG, 'three\nlines\n', 'four']) {
      first.agent.submit(prompt);
      taken.push(prompt);
      if (prompt === 'one') await first.idle();
    }
    await first.idle();
    first.agent.clear();
  }

  async function nextLife({ data, taken, chat }: Death, isMortal: boolean): Promise<void> {
    const next = isMortal ? mortal(data, true, taken, { tools }) : new AgentBench({ tools, store: bench(data).store(true) });
    const isWorking = bench(data).isWorking;
    if (isWorking) next.agent.wake();
    await next.idle();
    expect(next.agent.state.value).toBe('idle');
    expect(next.chat.slice(0, chat.length)).toBe(chat);
    if (!isMortal) await next.prompt('more');
    checkBlocks(next.blocks(), taken);
    // What an idle agent was saying is ended when it next says something.
    const isEnded = isWorking || !isMortal;
    expect(next.chat).toBe(isEnded ? plainOf(next.blocks()) : next.chat);
    for (const { messages } of next.backend.requests) checkPairing(messages);
    expect(bench(data).isWorking).toBe(false);
  }

  function checkBlocks(blocks: readonly Block[], taken: readonly string[]): void {
    const users = blocks.filter(({ role, content }) => role === 'user' && !content.startsWith('now')).map(({ content }) => content);
    expect(users.slice(0, taken.length)).toEqual(taken);
    expect(users.slice(taken.length).filter((text) => text !== 'more').length).toBeLessThanOrEqual(1);
    const called = (name: string): readonly string[] =>
      blocks.filter(({ role, attributes }) => role === name && attributes.live !== 'true').map(({ attributes }) => attributes.call ?? '');
    expect(called('tool').toSorted(byName)).toEqual(called('call').toSorted(byName));
    const turns = blocks.map(({ role, content }) => (role === 'user' ? '|' : content === INTERRUPTED ? '!' : '')).join('');
    expect(turns).not.toContain('!!');
    const shown = blocks.length === 0 ? 'idle\n' : blocks.findLast(({ role }) => role === 'state')?.content;
    expect(shown).toBe('idle\n');
    expect(blocks.map(({ attributes }) => Number(attributes.id))).toEqual(blocks.map((_block, index) => index + 1));
  }

  it('shows and keeps all that was taken, once, in chat as in chat.raw', async () => {
    await firstLife();
    const first = [...deaths];
    expect(first.length).toBeGreaterThan(100);
    for (const [number, death] of first.entries()) {
      deaths = [];
      const isMortal = number % 13 === 0;
      await nextLife(death, isMortal);
      for (const second of deaths) await nextLife(second, false);
    }
  });
});

const byName = (one: string, other: string): number => one.localeCompare(other);

/** What `chat` says of the blocks of chat.raw, without one that tells of live output. */
function plainOf(blocks: readonly Block[]): string {
  return blocks.map(plainText).join('');
}
