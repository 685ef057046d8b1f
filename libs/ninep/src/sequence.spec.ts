import { Sequence } from './sequence.js';

/** A promise that a test settles. */
function held() {
  let [go, fail] = [(): void => undefined, (): void => undefined];
  const promise = new Promise<void>((resolve, reject) => {
    [go, fail] = [resolve, () => reject(new Error('failed'))];
  });
  return { promise, go, fail };
}

const turn = () => new Promise(setImmediate);

describe('what happens to one fid', () => {
  let sequence: Sequence;
  const said: string[] = [];

  beforeEach(() => {
    sequence = new Sequence();
    said.length = 0;
  });

  const change = (name: string, wait?: Promise<void>, signal?: AbortSignal) => {
    const operation = () => (said.push(name), wait);
    return Promise.allSettled([sequence.change(operation, signal && { signal })]);
  };

  it('is done at once while nothing is under way', async () => {
    expect(sequence.change(() => 1)).toBe(1);
    expect(sequence.after(() => 2)).toBe(2);
    await sequence.change(() => Promise.resolve(3));
    await turn();
    expect(sequence.after(() => 4)).toBe(4);
  });

  it('is one change after the other, also when one fails, and looks after those before them', async () => {
    const [first, second] = [held(), held()];
    const all = [change('first', first.promise), change('second', second.promise), change('third')];
    const look = sequence.after(() => said.push('look'));
    await turn();
    expect(said).toEqual(['first']);
    first.fail();
    await turn();
    expect(said).toEqual(['first', 'second']);
    const fourth = change('fourth');
    expect(said).toEqual(['first', 'second']);
    second.go();
    await Promise.all([...all, look, fourth]);
    expect(said).toEqual(['first', 'second', 'third', 'look', 'fourth']);
  });

  it('leaves a change out that is aborted while it waits, and those behind it still wait for those before it', async () => {
    const [first, stop] = [held(), new AbortController()];
    const all = [change('first', first.promise), change('second', undefined, stop.signal)];
    stop.abort(new Error('enough'));
    expect(await all[1]).toMatchObject([{ status: 'rejected', reason: new Error('enough') }]);
    const third = change('third');
    const late = change('late', undefined, AbortSignal.abort(new Error('before')));
    expect(await late).toMatchObject([{ status: 'rejected', reason: new Error('before') }]);
    await turn();
    expect(said).toEqual(['first']);
    first.go();
    await Promise.all([...all, third]);
    expect(said).toEqual(['first', 'third']);
  });

  it('leaves nothing behind on a signal that was waited with', async () => {
    const { signal } = new AbortController();
    const remove = jest.spyOn(signal, 'removeEventListener');
    const first = held();
    const all = [change('first', first.promise), change('second', undefined, signal)];
    first.go();
    await Promise.all(all);
    expect(remove).toHaveBeenCalledTimes(1);
  });
});
