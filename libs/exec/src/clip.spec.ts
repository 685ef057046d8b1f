import fc from 'fast-check';
import { clippedText } from './clip.js';

describe('cutting a long output', () => {
  test('what fits stays as it is', () => {
    expect(clippedText('abc', 3, 'rest')).toBe('abc');
  });

  test('start and end stay, the note between them counts what is missing', () => {
    const text = `${'a'.repeat(5000)}${'b'.repeat(5000)}`;
    const clipped = clippedText(text, 1000, 'proc/7/out has all');
    const [, missing] = /\n\[\.\.\. (\d+) of 10000 bytes left out; proc\/7\/out has all \.\.\.\]\n/.exec(clipped) ?? [];
    expect(clipped).toMatch(/^a+\n\[.*\]\nb+$/);
    expect(clipped.match(/[ab]{100,}/g)?.join('').length).toBe(10_000 - Number(missing));
  });

  test('is never longer than asked for, and never cuts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 200, maxLength: 400 }), fc.integer({ min: 120, max: 400 }), (text, limit) => {
        const clipped = clippedText(text, limit, 'r');
        expect(Buffer.byteLength(clipped)).toBeLessThanOrEqual(Math.max(limit, 0));
        expect(clipped.includes('\ufffd')).toBe(text.includes('\ufffd') && clipped.includes('\ufffd'));
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });
});
