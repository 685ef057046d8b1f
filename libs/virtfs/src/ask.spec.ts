import { describeKind } from '#testkit';
import { ask, type AskOptions } from './ask.js';
import { dir } from './dir.js';
import { FileError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';
import type { Access, Call, FileHandle } from './types.js';

const NEVER = new AbortController().signal;
const BOTH: Access = { read: true, write: true, truncate: false };
const WRITE: Access = { read: false, write: true, truncate: false };

class Oracle {
  readonly asked: string[] = [];
  readonly signals: AbortSignal[] = [];
  pulled = 0;
  isReleased = false;
  gate: Promise<void> = Promise.resolve();
  open = (): void => undefined;

  async answer(request: string, call: Call): Promise<string | AsyncIterable<string>> {
    this.asked.push(request);
    this.signals.push(call.signal);
    await this.gate;
    if (request === 'bad') throw new FileError('illegal argument: bad', 'EINVAL');
    return request.startsWith('stream') ? this.stream(request) : `<${request}>`;
  }

  async *stream(request: string): AsyncIterable<string> {
    try {
      for (const piece of ['one ', 'two ', 'three']) {
        this.pulled++;
        yield piece;
      }
      if (request === 'stream and fail') throw new FileError('i/o error: backend', 'EIO');
    } finally {
      this.isReleased = true;
    }
  }

  shut(): void {
    this.gate = new Promise((resolve) => (this.open = resolve));
  }
}

const rowOf = (options?: AskOptions<Oracle>) => ask<Oracle>('Ask', (o, request, call) => o.answer(request, call), options);

describeKind<Oracle>('ask', {
  row: rowOf(),
  subject: () => new Oracle(),
  mode: 0o660,
  content: '<who ✓\n>',
  request: 'who ✓\n',
  length: 'zero',
  effects: (o) => [...o.asked],
  block: (o) => {
    o.shut();
    return { offset: 0 };
  },
  unblock: (o) => o.open(),
});

describeKind<Oracle>('ask with a streamed answer', {
  row: rowOf(),
  subject: () => new Oracle(),
  mode: 0o660,
  content: 'one two three',
  request: 'stream',
  length: 'zero',
  effects: (o) => [...o.asked],
});

async function bench(access = BOTH, options?: AskOptions<Oracle>) {
  const oracle = new Oracle();
  const client = new MemoryClient(mount(dir<Oracle>({ ask: rowOf(options) }), oracle));
  return { oracle, client, handle: await client.open('ask', access) };
}

const put = async (handle: FileHandle, text: string, offset = 0) => handle.write(offset, Buffer.from(text), { signal: NEVER });
const get = async (handle: FileHandle, offset = 0, count = 4096) =>
  Buffer.from(await handle.read(offset, count, { signal: NEVER })).toString();

describe('ask', () => {
  it('answers at the first read after the writes, which are one request', async () => {
    const { oracle, handle } = await bench();
    await put(handle, 'name=a\n');
    await put(handle, 'cwd=/\n', 7);
    expect(oracle.asked).toEqual([]);
    expect(await get(handle, 13)).toBe('<name=a\ncwd=/\n>');
    expect(await get(handle, 13 + 15)).toBe('');
    expect(oracle.asked).toHaveLength(1);
  });

  it('gives nothing before any write, or what the row has for it, anew at each look', async () => {
    expect(await (await bench()).client.read('ask')).toBe('');
    let count = 0;
    const { handle, oracle } = await bench(BOTH, { unasked: () => `look ${++count}\n` });
    expect([await get(handle), await get(handle), await get(handle, 4)]).toEqual(['look 1\n', 'look 2\n', ' 2\n']);
    await put(handle, 'x', 7);
    expect(await get(handle)).toBe('<x>');
    expect(oracle.asked).toEqual(['x']);
  });

  it('takes a write after a read for a new request, wherever it stands', async () => {
    const { oracle, handle } = await bench();
    await put(handle, 'a');
    expect(await get(handle)).toBe('<a>');
    await put(handle, 'b', 3);
    await put(handle, 'c', 4);
    expect(await get(handle, 5)).toBe('<bc>');
    expect(await get(handle, 0)).toBe('<bc>');
    expect(oracle.asked).toEqual(['a', 'bc']);
  });

  it('fails its reads as the row fails', async () => {
    const { handle } = await bench();
    await put(handle, 'bad');
    await expect(get(handle)).rejects.toThrow('illegal argument: bad');
    await put(handle, 'good', 3);
    expect(await get(handle)).toBe('<good>');
  });

  it('aborts the running answer when its read is interrupted; later reads are interrupted too', async () => {
    const { oracle, handle } = await bench();
    oracle.shut();
    await put(handle, 'a');
    const stop = new AbortController();
    const read = Promise.resolve(handle.read(0, 10, stop));
    await Promise.resolve();
    stop.abort();
    await expect(read).rejects.toThrow('interrupted');
    expect(oracle.signals[0]?.aborted).toBe(true);
    oracle.open();
    await expect(get(handle)).rejects.toThrow('interrupted');
  });

  it('aborts the running answer at the close, without waiting for it', async () => {
    for (const reason of ['clunk', 'hangup'] as const) {
      const { oracle, handle } = await bench();
      oracle.shut();
      await put(handle, 'a');
      const read = Promise.resolve(handle.read(0, 10, { signal: NEVER }));
      await Promise.resolve();
      await handle.close(reason);
      expect(oracle.signals[0]?.aborted).toBe(true);
      oracle.open();
      await read;
    }
  });

  it('does not abort the answer of a read that went well', async () => {
    const { oracle, handle } = await bench();
    const stop = new AbortController();
    await put(handle, 'a');
    await handle.read(0, 1, stop);
    stop.abort();
    expect(oracle.signals[0]?.aborted).toBe(false);
    expect(await get(handle, 1)).toBe('a>');
  });
});

describe('an unread request', () => {
  it('takes effect at the close, which fails as it fails', async () => {
    for (const access of [BOTH, WRITE]) {
      const good = await bench(access);
      await put(good.handle, 'a');
      await good.handle.close('clunk');
      expect(good.oracle.asked).toEqual(['a']);
      const bad = await bench(access);
      await put(bad.handle, 'bad');
      await expect(Promise.resolve(bad.handle.close('clunk'))).rejects.toThrow('illegal argument: bad');
    }
  });

  it('takes effect when the connection breaks if it could only be written, else it does not', async () => {
    const asked = async (access: Access) => {
      const { oracle, handle } = await bench(access);
      await put(handle, 'a');
      await handle.close('hangup');
      return oracle.asked;
    };
    expect(await asked(WRITE)).toEqual(['a']);
    expect(await asked(BOTH)).toEqual([]);
  });

  it('is answered to the end before the close returns', async () => {
    const { oracle, handle } = await bench(WRITE);
    await put(handle, 'stream');
    await handle.close('clunk');
    expect([oracle.pulled, oracle.isReleased]).toEqual([3, true]);
  });

  it('goes on behind a close that does not wait, where the row hears of failures', async () => {
    const heard = new Promise((resolve) => {
      const onUnread = (_o: Oracle, error: unknown) => resolve(error);
      void bench(WRITE, { onUnread }).then(async ({ handle }) => {
        await put(handle, 'stream and fail');
        await handle.close('clunk');
      });
    });
    expect(await heard).toEqual(new FileError('i/o error: backend', 'EIO'));
  });
});

describe('a checked request', () => {
  const check = (_o: Oracle, line: string) => {
    if (line.startsWith('prompt=')) return true;
    if (!line.startsWith('name=')) throw new FileError(`illegal key: ${line}`, 'EINVAL');
    return undefined;
  };

  it('is refused at the write of the bad line, and none of it runs', async () => {
    const { oracle, handle } = await bench(WRITE, { check });
    await put(handle, 'name=a\nbo');
    await expect(put(handle, 'gus\nname=b\n', 9)).rejects.toThrow('illegal key: bogus');
    await expect(put(handle, 'name=b\n', 9)).rejects.toThrow('illegal key: bogus');
    await handle.close('clunk');
    expect(oracle.asked).toEqual([]);
  });

  it('fails the read of a refused request with the same error', async () => {
    const { handle } = await bench(BOTH, { check });
    await expect(put(handle, 'bogus\n')).rejects.toThrow('illegal key: bogus');
    await expect(get(handle)).rejects.toThrow('illegal key: bogus');
  });

  it('is checked no further once the row has seen enough, and its last line not before it ends', async () => {
    const { handle } = await bench(BOTH, { check });
    await put(handle, 'name=a\nprompt=x\nanything\nhalf');
    expect(await get(handle)).toContain('anything\nhalf');
    await put(handle, 'half a line', 5);
    expect(await get(handle)).toBe('<half a line>');
  });
});

describe('a streamed answer', () => {
  it('is pulled as far as it is read, and can be read again', async () => {
    const { oracle, handle } = await bench();
    await put(handle, 'stream');
    expect(await get(handle, 0, 2)).toBe('on');
    expect(await get(handle, 2, 100)).toBe('e ');
    expect(oracle.pulled).toBe(1);
    expect(await get(handle, 4, 100)).toBe('two ');
    expect(await get(handle, 0, 100)).toBe('one two ');
    expect(oracle.pulled).toBe(2);
  });

  it('throws its failure at the reads that get that far', async () => {
    const { handle } = await bench();
    await put(handle, 'stream and fail');
    for (const offset of [0, 4, 8]) await get(handle, offset);
    await expect(get(handle, 13)).rejects.toThrow('i/o error: backend');
    await expect(get(handle, 13)).rejects.toThrow('i/o error: backend');
    expect(await get(handle, 0)).toBe('one two three');
  });

  it('is let go at the close', async () => {
    const { oracle, handle } = await bench();
    await put(handle, 'stream');
    await get(handle);
    await handle.close('clunk');
    expect(oracle.isReleased).toBe(true);
  });

  it('is let go by a new request', async () => {
    const { oracle, handle } = await bench();
    await put(handle, 'stream');
    await get(handle);
    await put(handle, 'next', 6);
    expect(oracle.isReleased).toBe(true);
    expect(await get(handle)).toBe('<next>');
  });

  it('is let go even if it was making a piece at the close', async () => {
    let proceed = (): void => undefined;
    let isReleased = false;
    const slow = async function* () {
      try {
        await new Promise<void>((resolve) => (proceed = resolve));
        yield 'late';
        yield 'never';
      } finally {
        isReleased = true;
      }
    };
    const client = new MemoryClient(mount(dir<object>({ ask: ask('Ask', () => slow()) }), {}));
    const handle = await client.open('ask', BOTH);
    await put(handle, 'x');
    const read = Promise.resolve(handle.read(0, 10, { signal: NEVER }));
    await new Promise((resolve) => setImmediate(resolve));
    await handle.close('clunk');
    proceed();
    await read;
    expect(isReleased).toBe(true);
  });
});
