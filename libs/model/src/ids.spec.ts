import { isId, newId } from './ids.js';

describe('ids', () => {
  it('are 19 digits of nanoseconds and six of hex, each once, also within one nanosecond, and sort by their making', () => {
    const ids = Array.from({ length: 10_000 }, newId);
    for (const id of ids) expect(id).toMatch(/^[0-9]{19}-[0-9a-f]{6}$/);
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.toSorted()).toEqual(ids);
    expect(Math.abs(Number((ids[0] ?? '').slice(0, 13)) - Date.now())).toBeLessThan(60_000);
  });

  it('of older servers are ids too', () => {
    expect([isId('1764498300123456789-a1b2c3'), isId('myproj'), isId('1764498300123456789-A1B2C3')]).toEqual([true, false, false]);
  });
});
