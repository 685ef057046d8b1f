import { ConfigError } from './errors.js';
import { parseDuration } from './duration.js';

describe('a duration', () => {
  it.each([
    ['250ms', 250],
    ['2s', 2_000],
    ['1.5m', 90_000],
    ['1h', 3_600_000],
    ['0', 0],
    [' 5m ', 300_000],
  ])('%s is %d milliseconds', (text, milliseconds) => {
    expect(parseDuration(text)).toBe(milliseconds);
  });

  it.each(['', '5', 's', '-1s', '1 s', '1d', '1s2'])('refuses %j and says what to write', (text) => {
    expect(() => parseDuration(text)).toThrow(ConfigError);
    expect(() => parseDuration(text)).toThrow('write 250ms, 2s, 5m or 1h');
  });
});
