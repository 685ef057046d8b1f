import { ask } from './ask.js';
import { dir } from './dir.js';
import { FileError } from './errors.js';
import { MemoryClient } from './memory-client.js';
import { mount } from './mount.js';

const BOTH = { read: true, write: true, truncate: false };
const NEVER = new AbortController().signal;

describe('a question that a read asks which was interrupted before', () => {
  const signals: AbortSignal[] = [];
  const failing = new FileError('no such backend: b', 'ENOENT');

  async function interrupted(answer: () => Promise<string>) {
    signals.length = 0;
    const row = ask<object>('Ask', (_subject, _request, { signal }) => {
      signals.push(signal);
      return answer();
    });
    const client = new MemoryClient(mount(dir<object>({ ask: row }), {}));
    const handle = await client.open('ask', BOTH);
    await handle.write(0, Buffer.from('question'), { signal: NEVER });
    await expect(handle.read(0, 100, { signal: AbortSignal.abort() })).rejects.toMatchObject({ posix: 'EINTR' });
    return handle;
  }

  it('is stopped at once', async () => {
    const handle = await interrupted(() => new Promise(() => undefined));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    await handle.close('clunk');
  });

  it('may fail with nobody listening', async () => {
    const unheard: unknown[] = [];
    const listener = (error: unknown) => void unheard.push(error);
    process.on('unhandledRejection', listener);
    try {
      const handle = await interrupted(() => Promise.reject(failing));
      await handle.close('clunk');
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', listener);
    }
  });
});
