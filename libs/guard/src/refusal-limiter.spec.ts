import { RefusalLimiter } from './refusal-limiter.js';

describe('RefusalLimiter', () => {
  let now: number;
  let limiter: RefusalLimiter;
  beforeEach(() => {
    now = 1_000;
    limiter = new RefusalLimiter(() => now);
  });

  const refuse = (times: number, agent = 'a'): void => {
    for (let count = 0; count < times; count += 1) limiter.refused(agent);
  };
  const text = (seconds: number): string => `rate limited: too many validation failures, blocked for ${seconds}s`;

  it('blocks an agent after five refusals within a minute', () => {
    refuse(4);
    expect(limiter.block('a')).toBeUndefined();
    refuse(1);
    expect(limiter.block('a')).toBe(text(30));
    expect(limiter.block('b')).toBeUndefined();
  });

  it('counts the seconds down and ends', () => {
    refuse(5);
    now += 29_500;
    expect(limiter.block('a')).toBe(text(1));
    now += 500;
    expect(limiter.block('a')).toBeUndefined();
  });

  it('forgets refusals after a minute', () => {
    refuse(4);
    now += 60_000;
    refuse(4);
    expect(limiter.block('a')).toBeUndefined();
  });

  it('doubles each further block, up to 300 s', () => {
    const blocks = [30, 60, 120, 240, 300, 300];
    for (const seconds of blocks) {
      refuse(5);
      expect(limiter.block('a')).toBe(text(seconds));
      now += seconds * 1_000;
    }
  });

  it('begins anew after five quiet minutes', () => {
    refuse(5);
    now += 30_000;
    refuse(5);
    now += 60_000 + 300_001;
    refuse(5);
    expect(limiter.block('a')).toBe(text(30));
  });

  it('keeps what it knows of the 4,096 agents that were refused last', () => {
    for (const agent of ['first', 'second']) refuse(5, agent);
    for (let count = 0; count < 4_094; count += 1) refuse(1, `other ${count}`);
    refuse(1, 'first');
    expect([limiter.block('first'), limiter.block('second')]).toEqual([text(30), text(30)]);
    refuse(1, 'one more');
    expect([limiter.block('first'), limiter.block('second')]).toEqual([text(30), undefined]);
  });
});
