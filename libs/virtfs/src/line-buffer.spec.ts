import fc from 'fast-check';
import { LineBuffer } from './line-buffer.js';

/** The lines of a text that comes in pieces, the unfinished one last. */
function linesOf(text: Buffer, cuts: readonly number[], maxBytes: number): (string | undefined)[] {
  const lines = new LineBuffer(maxBytes);
  const ends = [...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const found = ends.flatMap((end, i) => lines.push(text.subarray(ends[i - 1] ?? 0, end)));
  return [...found, lines.take()];
}

describe('LineBuffer', () => {
  it('finds the same lines however the bytes were cut, characters included', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat()), (parts, cuts) => {
        const text = parts.join('\n');
        expect(linesOf(Buffer.from(text), cuts, Infinity)).toEqual(text.split('\n'));
      }),
    );
  });

  it('puts undefined where a line was above the limit, and keeps none of it', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.nat()), fc.integer({ min: 0, max: 10 }), (parts, cuts, max) => {
        const text = parts.join('\n');
        const expected = text.split('\n').map((line) => (Buffer.byteLength(line) > max ? undefined : line));
        expect(linesOf(Buffer.from(text), cuts, max)).toEqual(expected);
      }),
    );
  });
});
