import { getEventListeners } from 'node:events';
import { runInNewContext } from 'node:vm';
import { after, interruptible } from './awaitable.js';
import { InterruptedFileError } from './errors.js';
import { Waiters } from './waiters.js';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('interruptible work', () => {
  it('gives what the work gives, also its error, and leaves no listener', async () => {
    const { signal } = new AbortController();
    expect(await interruptible(() => 'now', signal)).toBe('now');
    expect(await interruptible(async () => 'later', signal)).toBe('later');
    await expect(
      interruptible(() => {
        throw new TypeError('bug');
      }, signal),
    ).rejects.toThrow('bug');
    await new Promise((resolve) => setImmediate(resolve));
    expect(listeners(signal)).toBe(0);
  });

  it('ends when the signal aborts, though the work does not listen', async () => {
    const stop = new AbortController();
    const work = interruptible(() => new Promise(() => undefined), stop.signal);
    stop.abort();
    await expect(work).rejects.toThrow(InterruptedFileError);
  });

  it('does not begin under an aborted signal', async () => {
    let begun = false;
    const work = interruptible(() => (begun = true), AbortSignal.abort());
    await expect(work).rejects.toThrow('interrupted');
    expect(begun).toBe(false);
  });
});

describe('after', () => {
  it('goes on at once with what is there, and later with promises of any realm', async () => {
    expect(after(2, (n) => n + 1)).toBe(3);
    const foreign: Promise<number> = runInNewContext('Promise.resolve(2)');
    expect(await after(foreign, (n) => n + 1)).toBe(3);
  });
});

describe('Waiters', () => {
  it('leave no listener behind, woken or interrupted', async () => {
    const waiters = new Waiters<string>();
    const [kept, stopped] = [new AbortController(), new AbortController()];
    const waits = [waiters.wait(kept.signal), waiters.wait(stopped.signal)];
    expect(listeners(kept.signal)).toBe(1);
    stopped.abort();
    waiters.wake('up');
    const [woken, interrupted] = await Promise.allSettled(waits);
    expect(woken).toMatchObject({ value: 'up' });
    expect(interrupted).toMatchObject({ reason: { message: 'interrupted' } });
    expect([listeners(kept.signal), listeners(stopped.signal)]).toEqual([0, 0]);
  });
});
