import { describeKind } from '#testkit';
import { ByteLog } from './byte-log.js';
import { dir } from './dir.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import { output, stream } from './stream.js';

const CONTENT = 'user: hi\nhello ✓\n';

class Chat {
  readonly log = new ByteLog();
  constructor() {
    this.log.append(CONTENT);
  }
}

describeKind<Chat>('stream', {
  row: stream<Chat>('The chat', (c) => c.log),
  subject: () => new Chat(),
  mode: 0o444,
  content: CONTENT,
  length: 'that of the content',
  change: (c) => c.log.append('more\n'),
  block: (c) => {
    c.log.hold();
    return { offset: c.log.length };
  },
  unblock: (c) => c.log.release(),
});

describeKind<Chat>('output', {
  row: output<Chat>('The output', (c) => c.log),
  subject: () => new Chat(),
  mode: 0o444,
  content: CONTENT,
  length: 'that of the content',
  change: (c) => c.log.append('more\n'),
});

function bench() {
  const chat = new Chat();
  const root = mount(dir<Chat>({ chat: stream('The chat', (c) => c.log), out: output('The output', (c) => c.log) }), chat);
  return { log: chat.log, client: new MemoryClient(root) };
}

describe('stream', () => {
  it('follows a log while it is held and ends when it is released', async () => {
    const { log, client } = bench();
    log.hold();
    const read = client.read('chat');
    for (const piece of ['a', 'b\n', 'c']) {
      await new Promise((resolve) => setImmediate(resolve));
      log.append(piece);
    }
    log.release();
    expect(await read).toBe(`${CONTENT}ab\nc`);
  });

  it('can be read on after an end of file', async () => {
    const { log, client } = bench();
    const handle = await client.open('chat', { read: true, write: false, truncate: false });
    const { signal } = new AbortController();
    expect(await handle.read(log.length, 10, { signal })).toHaveLength(0);
    const offset = log.length;
    log.append('later');
    expect(Buffer.from(await handle.read(offset, 10, { signal })).toString()).toBe('later');
  });
});

describe('output', () => {
  it('never waits, not even for a log that is held', async () => {
    const { log, client } = bench();
    log.hold();
    expect(await client.read('out')).toBe(CONTENT);
    expect((await client.stat('out')).length).toBe(Buffer.byteLength(CONTENT));
  });

  describe('of the last bytes', () => {
    function tailBench() {
      const log = new ByteLog();
      log.append('one\ntwo\nthree\n');
      return { log, client: new MemoryClient(mount(dir<ByteLog>({ log: output('The log', (l) => l, 10) }), log)) };
    }

    it('starts at a line, and its length is true', async () => {
      const { log, client } = tailBench();
      expect(await client.read('log')).toBe('two\nthree\n');
      log.append('four\n');
      expect(await client.read('log')).toBe('four\n');
      expect((await client.stat('log')).length).toBe(5);
    });

    it('goes on where a reader is, until it reads from the start again', async () => {
      const { log, client } = tailBench();
      const { signal } = new AbortController();
      const handle = await client.open('log', { read: true, write: false, truncate: false });
      const text = async (offset: number) => Buffer.from(await handle.read(offset, 100, { signal })).toString();
      expect(await text(0)).toBe('two\nthree\n');
      expect(await text(10)).toBe('');
      log.append('four\n');
      expect(await text(10)).toBe('four\n');
      expect(await text(0)).toBe('four\n');
    });
  });
});
