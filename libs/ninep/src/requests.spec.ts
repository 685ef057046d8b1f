import { Request, Requests } from './requests.js';

describe('the requests under way', () => {
  let requests: Requests;

  beforeEach(() => {
    requests = new Requests({ count: 3, bytes: 100 });
  });

  function add(tag: number, bytes: number): Request {
    requests.admit(tag, false);
    const request = new Request(tag, bytes);
    requests.add(request);
    return request;
  }

  it('are so many at most, and a flush beside them', () => {
    const all = [1, 2, 3].map((tag) => add(tag, 1));
    expect(() => add(4, 1)).toThrow('i/o error: too many requests');
    expect(() => requests.admit(5, true)).not.toThrow();
    for (const request of all) requests.finish(request);
    expect(() => [1, 2, 3].map((tag) => add(tag, 1))).not.toThrow();
  });

  it('are taken while they hold less than so many bytes together', () => {
    add(1, 60);
    const second = add(2, 39);
    requests.finish(second);
    const other = add(2, 40);
    expect(() => add(3, 0)).toThrow('i/o error: too many requests');
    expect(() => requests.admit(3, true)).not.toThrow();
    requests.finish(other);
    expect(() => add(3, 1)).not.toThrow();
  });

  it('have a tag each, until they are finished', () => {
    const first = add(1, 0);
    expect(() => add(1, 0)).toThrow('illegal argument: tag in use');
    expect(requests.find(1)).toBe(first);
    requests.finish(first);
    expect(requests.find(1)).toBeUndefined();
    expect(add(1, 0)).not.toBe(first);
  });

  it('are aborted together, which is over when the last of them has ended', async () => {
    const all = [add(1, 0), add(2, 0)];
    let isOver = false;
    const cancelled = requests.cancelAll().then(() => (isOver = true));
    expect(all.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    const [first, last] = all;
    if (first) requests.finish(first);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    if (last) requests.finish(last);
    await cancelled;
  });
});

describe('an abort of a request', () => {
  const listener = () => ({
    heard: 0,
    handleEvent() {
      this.heard += 1;
    },
  });

  it('reaches, once, who listens without a signal, and nobody who has left', () => {
    const request = new Request(1, 0);
    const [stays, leaves] = [listener(), listener()];
    for (const each of [stays, leaves]) request.source.addEventListener('abort', each);
    request.source.removeEventListener('abort', leaves);
    expect(request.source.aborted).toBe(false);
    request.abort();
    request.abort();
    expect([request.source.aborted, stays.heard, leaves.heard]).toEqual([true, 1, 0]);
  });

  it('reaches the signal whether that was looked at before or after', () => {
    const [before, after] = [new Request(1, 0), new Request(2, 0)];
    const { signal } = before;
    for (const request of [before, after]) request.abort();
    expect([signal.aborted, after.signal.aborted]).toEqual([true, true]);
  });
});
