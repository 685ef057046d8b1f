import { Callers } from './callers.js';

describe('the client that a process is', () => {
  const asked: number[] = [];
  let callers: Callers;
  let now = 1000;

  beforeEach(() => {
    asked.length = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    callers = new Callers((pid) => (asked.push(pid), pid === 7 ? undefined : `tag ${pid}`));
  });
  afterEach(() => jest.restoreAllMocks());

  it('is asked for once in a while', () => {
    expect([5, 5, 7, 7, 6].map((pid) => callers.tag(pid))).toEqual(['tag 5', 'tag 5', undefined, undefined, 'tag 6']);
    expect(asked.splice(0)).toEqual([5, 7, 6]);
    now += 499;
    callers.tag(5);
    expect(asked).toEqual([]);
    now += 1;
    callers.tag(5);
    expect(asked).toEqual([5]);
  });

  it('is nobody outside of our pid namespace, who has no number', () => {
    expect(callers.tag(0)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('is remembered of 512 processes at most', () => {
    for (let pid = 1000; pid < 1512; pid++) callers.tag(pid);
    callers.tag(1000);
    expect(asked).toHaveLength(512);
    callers.tag(2000);
    callers.tag(1000);
    expect(asked.slice(-2)).toEqual([2000, 1000]);
  });
});
