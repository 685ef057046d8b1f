import { setTimeout as sleep } from 'node:timers/promises';
import { pushed, type Sink } from './pushed.js';

async function collect<T>(values: AsyncIterable<T>, into: T[] = []): Promise<readonly T[]> {
  for await (const value of values) into.push(value);
  return into;
}

describe('what is pushed', () => {
  it('comes in order, whether somebody waits for it or not', async () => {
    const values = pushed<number>(async (sink) => {
      sink.push([1, 2]);
      await sleep(5);
      sink.push([]);
      sink.push([3]);
      sink.push([4, 5]);
    });
    expect(await collect(values)).toEqual([1, 2, 3, 4, 5]);
  });

  it('begins with the first look, and anew for each iteration', async () => {
    let begun = 0;
    const values = pushed<number>(async (sink) => sink.push([(begun += 1)]));
    expect(begun).toBe(0);
    expect([await collect(values), await collect(values)]).toEqual([[1], [2]]);
  });

  it.each([0, 5])('comes before the failure that follows it, after %i ms', async (ms) => {
    const seen: number[] = [];
    const values = pushed<number>(async (sink) => {
      sink.push([1, 2]);
      if (ms > 0) await sleep(ms);
      throw new Error('broken');
    });
    await expect(collect(values, seen)).rejects.toThrow('broken');
    expect(seen).toEqual([1, 2]);
  });

  it('is over for good after the end, and after a failure', async () => {
    const values = pushed<number>(() => Promise.reject(new Error('broken')))[Symbol.asyncIterator]();
    await expect(values.next()).rejects.toThrow('broken');
    expect(await values.next()).toEqual({ done: true, value: undefined });
  });

  it('stops its source when the consumer has enough, and takes nothing more', async () => {
    let from: Sink<number> | undefined;
    let stopped = 0;
    const values = pushed<number>(async (sink) => {
      from = sink;
      sink.whenStopped(() => (stopped += 1));
      sink.push([1, 2]);
      await sleep(5);
      throw new Error('nobody hears of it');
    })[Symbol.asyncIterator]();
    expect(await values.next()).toEqual({ done: false, value: 1 });
    await values.return?.();
    expect(stopped).toBe(1);
    from?.push([3]);
    expect(await values.next()).toEqual({ done: true, value: undefined });
    await sleep(10);
  });
});
