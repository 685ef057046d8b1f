import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, openMode } from '#ninep';
import { fakeCall, type FakeAnswer, type FakeProcess } from '#testkit';
import { answerOf, ServedOlliesrv, textOf } from '../support/served-olliesrv.js';

const NO_ANSWER_MS = 80;

/** Section 2.5 over a real connection, the rows that are more than a text to read. */
describe('the files of an agent', () => {
  let served: ServedOlliesrv;
  let client: Client;
  const at = (file: string, agent = 'coding') => `session/s/agent/${agent}/${file}`;

  async function start(...answers: readonly FakeAnswer[]): Promise<void> {
    served = await ServedOlliesrv.start(answers);
    client = await served.dial();
    await client.writeAll('session/new', 'name=s\n');
    for (const name of ['coding', 'review']) await client.writeAll('session/s/agent/new', `name=${name} agent=coding\n`);
  }
  afterEach(() => served.close());

  const read = (file: string, agent?: string): Promise<string> => textOf(client, at(file, agent));
  const write = (file: string, text: string, agent?: string): Promise<void> => client.writeAll(at(file, agent), text);
  const ctl = (line: string): Promise<string> => answerOf(client, at('ctl'), `${line}\n`);
  const whenRequests = async (count: number): Promise<void> => {
    while (served.backend.requests.length < count) await sleep(5);
  };
  const lastUserText = (): string => {
    const last = served.backend.requests.at(-1)?.messages.at(-1);
    return last?.content.map((part) => (part.type === 'text' ? part.text : '')).join('') ?? '';
  };

  describe('fifo', () => {
    it('queues at the clunk without starting an idle agent, and gives one item an open', async () => {
      await start();
      await write('fifo', 'first\n');
      await write('fifo', 'second\nwith two lines\n');
      expect(await read('stats')).toContain('queued=2\n');
      expect((await client.stat(at('fifo'))).length).toBe(0);
      expect(await read('stats')).toContain('queued=2\n');
      expect(await read('fifo')).toBe('first\n');
      expect(await read('fifo')).toBe('second\nwith two lines\n');
      expect(await read('fifo')).toBe('');
      expect(served.backend.requests).toHaveLength(0);
    });

    it('finishes one item in pieces of any size, then ends', async () => {
      await start();
      await write('fifo', 'abcdef');
      await write('fifo', 'next');
      const file = await client.open(at('fifo'), openMode.read);
      const piece = async (offset: number, count: number) => Buffer.from(await file.read(offset, count)).toString();
      expect([await piece(0, 4), await piece(4, 4), await piece(7, 4)]).toEqual(['abcd', 'ef\n', '']);
      await file.clunk();
      expect(await read('stats')).toContain('queued=1\n');
    });

    it('drains before the next prompt, in order', async () => {
      await start({ text: 'one' }, { text: 'two' });
      await write('fifo', 'first\n');
      await write('prompt', 'second\n');
      expect(await read('chat')).toBe('user: first\none\nuser: second\ntwo\n');
    });

    it('fills while a turn runs, and drains after it', async () => {
      await start({ hangs: true }, { text: 'two' });
      await write('prompt', 'first\n');
      await write('fifo', 'second\n');
      expect(await ctl('stop')).toBe('ok\n');
      expect(await read('stats')).toContain('queued=1\n');
      expect(await read('fifo')).toBe('second\n');
    });

    it('takes no more than 16 MiB', async () => {
      await start();
      await expect(write('fifo', 'x'.repeat(16 * 1024 * 1024 + 1))).rejects.toThrow('message too long');
      expect(await read('fifo')).toBe('');
    });
  });

  describe('feed', () => {
    it('gives each client each value once, and waits for another', async () => {
      await start();
      await write('feed', 'one\n');
      const [a, b] = [await served.dial({ aname: 'client=a' }), await served.dial({ aname: 'client=b' })];
      expect(await textOf(a, at('feed'))).toBe('one\n');
      const next = textOf(a, at('feed'));
      expect(await Promise.race([next, sleep(NO_ANSWER_MS, 'waits')])).toBe('waits');
      await write('feed', 'one\n');
      expect(await Promise.race([next, sleep(NO_ANSWER_MS, 'waits')])).toBe('waits');
      await write('feed', 'two\n');
      expect(await next).toBe('two\n');
      expect(await textOf(b, at('feed'))).toBe('two\n');
      expect(served.backend.requests).toHaveLength(0);
    });

    it('takes what comes before a pause as one value while the file stays open', async () => {
      await start();
      const file = await client.open(at('feed'), openMode.write);
      await file.write(0, Buffer.from('line one\n'));
      await file.write(9, Buffer.from('line two\n'));
      expect(await read('feed')).toBe('line one\nline two\n');
      await file.write(18, Buffer.from('later\n'));
      expect(await read('feed')).toBe('later\n');
      await file.clunk();
    });

    it('turns each changed value into a turn with feed=prompt, the newest only while one runs', async () => {
      await start({ hangs: true }, { text: 'seen' });
      await write('cfg', 'feed=prompt\n');
      await write('feed', 'one <b> & two\n');
      await whenRequests(1);
      expect(lastUserText()).toBe('<system-feed>\none &lt;b> &amp; two\n</system-feed>');
      for (const value of ['two', 'three', 'three']) await write('feed', `${value}\n`);
      expect(await ctl('queue')).toBe('1\tfeed\t<system-feed>\\nthree\\n</system-feed>\n');
      expect(await read('stats')).toContain('queued=1\n');
      await ctl('stop');
      await write('prompt', 'go on\n');
      await whenRequests(3);
      expect(await read('chat.raw')).toMatch(/\[\[\[user id=\d+ source=feed ts=\d+\]\]\]\n<system-feed>\nthree\n<\/system-feed>\n/);
    });

    it('is for prompts in the packaged profile observer', async () => {
      await start({ text: 'nothing new' });
      await client.writeAll('session/s/agent/new', 'name=watch agent=observer\n');
      expect(await read('cfg', 'watch')).toContain('feed=prompt\n');
      await write('feed', 'x\n', 'watch');
      await whenRequests(1);
      expect(lastUserText()).toBe('<system-feed>\nx\n</system-feed>');
    });

    it('ends for those who wait when the agent ends', async () => {
      await start();
      const waiting = read('feed');
      expect(await Promise.race([waiting, sleep(NO_ANSWER_MS, 'waits')])).toBe('waits');
      await ctl('kill');
      expect(await waiting).toBe('');
    });
  });

  describe('peer', () => {
    it('lists the other agents and gives one a turn', async () => {
      await start({ text: 'thanks' });
      expect((await client.list(at('peer'))).map(({ name }) => name)).toEqual(['review']);
      await write('peer/review', 'look at <main.go> & "b"\n');
      await whenRequests(1);
      expect(lastUserText()).toBe('<system-peer from="coding">\nlook at &lt;main.go> &amp; "b"\n</system-peer>');
      expect(await read('chat.raw', 'review')).toMatch(/\[\[\[user id=\d+ source=peer ts=\d+\]\]\]\n<system-peer from="coding">\n/);
    });

    it('returns at once while the other is at work, and is delivered after that', async () => {
      await start({ hangs: true }, { text: 'thanks' });
      await write('prompt', 'work\n', 'review');
      await write('peer/review', 'a word\n');
      expect(await read('stats', 'review')).toContain('queued=1\n');
    });

    it('knows no agent of that name, nor the agent itself', async () => {
      await start();
      for (const name of ['nobody', 'coding']) {
        await expect(client.writeAll(at(`peer/${name}`), 'x')).rejects.toThrow(/does not exist|no such agent/);
      }
    });

    it('follows a rename', async () => {
      await start();
      await write('name', 'tester\n', 'review');
      expect((await client.list(at('peer'))).map(({ name }) => name)).toEqual(['tester']);
    });
  });

  describe('ctx', () => {
    it('is one file a message under numbers that stay', async () => {
      await start({ calls: [fakeCall('c1', 'file_read', { file_path: 'main.go' })] }, { text: 'Fixed.' });
      await write('prompt', 'fix the bug in main.go\n');
      await read('chat');
      expect((await client.list(at('ctx'))).map(({ name }) => name)).toEqual(['idx', '0001', '0002', '0003', '0004']);
      expect(await read('ctx/idx')).toBe(
        [
          '0001\tuser\thot\t6\tfix the bug in main.go',
          '0002\tassistant\thot\t10\t-> file_read({"file_path":"main.go"})',
          '0003\ttool\thot\t4\tfile_read main.go',
          '0004\tassistant\thot\t2\tFixed.',
          '',
        ].join('\n'),
      );
      expect(await read('ctx/0001')).toBe('fix the bug in main.go');
      expect(await read('ctx/0003')).toBe('file_read ran\n');
      expect(await ctl('history')).toBe(await read('ctx/idx'));
      await ctl('clear');
      expect(await read('ctx/idx')).toBe('');
      await write('prompt', 'again\n');
      await read('chat');
      expect((await client.list(at('ctx'))).map(({ name }) => name)).toEqual(['idx', '0005', '0006']);
      expect(await read('ctx/0005')).toBe('again');
      await expect(read('ctx/0001')).rejects.toThrow('file does not exist');
      await expect(read('ctx/5')).rejects.toThrow('file does not exist');
    });
  });

  describe('budget', () => {
    it('shows what was written and what is spent', async () => {
      await start({
        text: 'done',
        usage: { inputTokens: 10, cachedInputTokens: 5, cacheCreationTokens: 2, outputTokens: 3, costUSD: 0.41 },
      });
      expect(await read('budget')).toBe('usd= spent=0\ntokens= spent=0\nrounds= spent=0\nwall= spent=0s\n');
      await write('budget', 'usd=2\nwall=30m\n');
      await write('prompt', 'x\n');
      await read('chat');
      expect(await read('budget')).toBe('usd=2 spent=0.41\ntokens= spent=15\nrounds= spent=1\nwall=30m spent=0s\n');
      await write('budget', 'usd=\n');
      expect(await read('budget')).toMatch(/^usd= spent=0\.41\n/);
    });

    it.each([
      ['k=1\n', 'illegal key: k'],
      ['usd=much\n', 'illegal value: usd=much'],
      ['tokens=1\nrounds=-1\n', 'illegal value: rounds=-1'],
      ['wall=30\n', 'illegal value: wall=30'],
      ['words\n', 'illegal argument: words'],
    ])('refuses %j whole', async (text, error) => {
      await start();
      await expect(write('budget', text)).rejects.toThrow(error);
      expect(await read('budget')).toMatch(/^usd= .*\ntokens= .*\nrounds= .*\nwall= /);
    });
  });

  describe('proc', () => {
    const begin = async (): Promise<FakeProcess> => {
      await start({ calls: [fakeCall('c1', 'shell', { cmd: 'make all', background: true })] }, { text: 'started' }, { text: 'ended' });
      await write('prompt', 'make it\n');
      await read('chat');
      const [host] = served.hands.hosts.values();
      const process = [...(host?.servers.values() ?? [])].flatMap((server) => server.started)[0];
      if (!process) throw new Error('nothing was started');
      return process;
    };

    it('has the directory of a background process, while it runs and after', async () => {
      const process = await begin();
      expect((await client.list(at('proc'))).map(({ name }) => name)).toEqual(['top', '1']);
      expect((await client.list(at('proc/1'))).map(({ name }) => name)).toEqual(['out', 'stat']);
      expect(await read('proc/1/out')).toBe('made\n');
      expect((await client.stat(at('proc/1/out'))).length).toBe(5);
      expect(await read('proc/1/stat')).toBe('id=1\nstate=running\n');
      process.bytes = Buffer.from([0x6d, 0xff, 0x0a]);
      process.end({ isWhole: false });
      await whenRequests(3);
      expect(lastUserText()).toMatch(/\[full output: proc\/1\/out\]\n<\/system-proc-complete>$/);
      expect(Buffer.from(await client.readAll(at('proc/1/out')))).toEqual(Buffer.from([0x6d, 0xff, 0x0a]));
      expect(await read('proc/1/stat')).toBe('id=1\nstate=exited\n');
      await expect(read('proc/2/out')).rejects.toThrow('file does not exist');
    });

    it('is ended, shown and forgotten by ctl', async () => {
      const process = await begin();
      expect(await ctl('proc out 1')).toBe('made\n');
      await expect(ctl('proc dismiss 1')).rejects.toThrow('process is busy: still running');
      expect(await ctl('proc term 1')).toBe('ok\n');
      expect(process.orders).toEqual(['dismiss', 'term']);
      await expect(ctl('proc kill 1')).rejects.toThrow('no such process: 1');
      expect(await ctl('proc dismiss 1')).toBe('ok\n');
      for (const line of ['proc out 1', 'proc term 1', 'proc out 7']) await expect(ctl(line)).rejects.toThrow(/^no such process: [17]$/);
      expect((await client.list(at('proc'))).map(({ name }) => name)).toEqual(['top']);
    });

    it('is killed by ctl', async () => {
      const process = await begin();
      expect(await ctl('proc kill 1')).toBe('ok\n');
      expect(process.orders).toEqual(['kill']);
      await whenRequests(3);
      expect(lastUserText()).toContain(' exit="137">');
    });

    it('says what is no such command', async () => {
      await start();
      for (const line of ['proc x', 'proc term', 'proc term x', 'proc out 1 2'])
        await expect(ctl(line)).rejects.toThrow(`illegal argument: ${line}`);
      expect(await ctl('proc')).toBe('');
      expect(await ctl('proc top')).toBe('PID TOOL CMD\n');
    });
  });
});
