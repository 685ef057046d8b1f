import { abortable } from './abortable.js';

describe('abortable', () => {
  it('gives the outcome of the promise', async () => {
    const { signal } = new AbortController();
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1);
    await expect(abortable(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
  });

  it('rejects with the reason when the signal aborts first or has aborted', async () => {
    const abort = new AbortController();
    const waiting = abortable(new Promise(() => undefined), abort.signal);
    abort.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    await expect(abortable(new Promise(() => undefined), abort.signal)).rejects.toThrow('enough');
  });

  it('leaves no listener behind', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners += 1;
      add(...args);
    };
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners -= 1;
      remove(...args);
    };
    await abortable(Promise.resolve(1), signal);
    expect(listeners).toBe(0);
  });
});
