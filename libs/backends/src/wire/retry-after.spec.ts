import { retryAfterMs } from './retry-after.js';

const NOW = Date.parse('2026-11-30T12:00:00Z');

describe('how long a provider wants us to wait', () => {
  it.each<[Record<string, string>, string, number | undefined]>([
    [{ 'retry-after': '7' }, '', 7_000],
    [{ 'retry-after': '0.5' }, '', 500],
    [{ 'retry-after': '0' }, '', 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '2' }, '', 1_500],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:07 GMT' }, '', 7_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, '', 0],
    [{ 'retry-after': 'soon' }, '', undefined],
    [{ 'retry-after': '-3' }, '', undefined],
    [{ 'retry-after-ms': 'NaN', 'retry-after': '2' }, '', 2_000],
    [{ 'retry-after': '9'.repeat(400) }, '', 315_576_000_000],
    [{ 'retry-after-ms': '9'.repeat(17) }, '', 315_576_000_000],
    [{}, `try again in ${'9'.repeat(400)}h`, 315_576_000_000],
    [{}, 'Please try again in 800ms.', 800],
    [{}, 'Please try again in 6m0.5s.', 360_500],
    [{}, 'Please retry in 36.429760048s.', 36_430],
    [{}, 'Your quota will reset after 1h16m0s', 4_560_000],
    [{}, 'Please retry after 20 seconds.', 20_000],
    [{}, 'Try again in 1 minute', 60_000],
    [{}, 'please wait 1.5 sec', 1_500],
    [{}, 'Please try again in 250 ms', 250],
    [{}, 'try again in a while', undefined],
    [{ 'retry-after': '1' }, 'try again in 20s', 1_000],
  ])('%j %s', (headers, text, expected) => {
    expect(retryAfterMs(new Headers(headers), text, NOW)).toBe(expected);
  });
});
