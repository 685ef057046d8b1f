import { PartnerError } from '#model';
import { ProcessCounter } from './process-counter.js';

/** What is kept, and how often it was written. */
class Kept {
  writes = 0;

  constructor(public last = 0) {}

  keep(last: number): void {
    this.writes += 1;
    this.last = last;
  }
}

describe('the numbers of processes', () => {
  it('go on behind those of an earlier server, which are kept before they are taken', () => {
    const kept = new Kept(7);
    const counter = new ProcessCounter(kept);
    expect(counter.last).toBe(7);
    for (let call = 0; call < 300; call += 1) {
      counter.take();
      expect(kept.last).toBeGreaterThanOrEqual(counter.last);
    }
    expect([counter.last, kept.writes]).toEqual([307, 2]);
    counter.close();
    expect(kept.last).toBe(307);
  });

  it('are written for calls only', () => {
    const kept = new Kept(7);
    new ProcessCounter(kept).close();
    expect(kept.writes).toBe(0);
  });

  it('are not taken where they cannot be kept', () => {
    const full = { last: 3, keep: () => { throw new PartnerError('s: ENOSPC'); } }; // prettier-ignore
    const counter = new ProcessCounter(full);
    expect(() => counter.take()).toThrow('ENOSPC');
    expect(counter.last).toBe(3);
  });
});
