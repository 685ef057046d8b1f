import fc from 'fast-check';
import { guardedBody, guardedText } from './guarded-body.js';

describe('a body for the bus', () => {
  it('has no NUL and no half character', () => {
    expect(guardedText('a\0b')).toBe('a\ufffdb');
    expect(guardedText('a\ud83db\ude00')).toBe('a\ufffdb\ufffd');
  });

  it('is cut between characters', () => {
    expect(guardedText('abcdef', 6)).toBe('abcdef');
    expect(guardedText('abcdefg', 6)).toBe('abc…');
    expect(guardedText('aä😀bcde', 8)).toBe('aä…');
  });

  it('is fit for the bus whatever it is made from', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\0', '\ud83d', '\ude00', 'a', 'é', '😀') }),
        fc.integer({ min: 3, max: 40 }),
        (text, limit) => {
          const guarded = guardedText(text, limit);
          expect(guarded).not.toContain('\0');
          expect(Buffer.from(guarded, 'utf8').toString('utf8')).toBe(guarded);
          expect(Buffer.byteLength(guarded)).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });

  it('takes what its types say and nothing else', () => {
    expect(guardedBody(['s', 'o', 't'], ['\0', '/a/b_1', 7n])).toEqual(['\ufffd', '/a/b_1', 7n]);
    expect(() => guardedBody(['s'], [])).toThrow('0 values for s');
    for (const path of ['', 'a', '/a/', '//', '/a b', '/ä']) expect(() => guardedBody(['o'], [path])).toThrow('is no o');
    for (const number of [-1n, 2n ** 64n, 7]) expect(() => guardedBody(['t'], [number])).toThrow('is no t');
    expect(() => guardedBody(['s'], [7])).toThrow('is no s');
  });
});
