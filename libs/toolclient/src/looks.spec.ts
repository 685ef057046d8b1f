// Runs alone: what is to happen at once has 90 ms for it.
import { Looks, pauseAfter } from './looks.js';

describe('the time to the next look', () => {
  it.each([
    [0, 100],
    [1000, 100],
    [3000, 300],
    [10_000, 1000],
    [3_600_000, 1000],
  ])('after %i ms without news is %i ms', (silenceMs, waitMs) => {
    expect(pauseAfter(silenceMs)).toBe(waitMs);
  });
});

describe('looks', () => {
  it('begin after 200 ms, so that most calls have ended by then', async () => {
    const begun = performance.now();
    expect(await new Looks().next(new AbortController().signal)).toBe(true);
    expect(performance.now() - begun).toBeGreaterThan(190);
  });

  it('end at once with the signal, without an error', async () => {
    const stop = new AbortController();
    const looks = new Looks();
    const next = looks.next(stop.signal);
    const begun = performance.now();
    stop.abort();
    expect(await next).toBe(false);
    expect(await looks.next(stop.signal)).toBe(false);
    expect(performance.now() - begun).toBeLessThan(90);
  });
});
