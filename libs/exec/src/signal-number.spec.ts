import { signalNumber } from './signal-number.js';

describe('naming a signal', () => {
  test.each([
    ['15', 15],
    ['TERM', 15],
    ['SIGTERM', 15],
    ['term', 15],
    [' USR1 ', 10],
    ['64', 64],
  ])('%j is %d', (text, number) => expect(signalNumber(text)).toBe(number));

  test.each(['', '0', '65', '-9', 'SIG', 'NOTHING', '9 9'])('%j is refused', (text) => {
    expect(() => signalNumber(text)).toThrow(`illegal argument: signal ${text}`.trimEnd());
  });
});
