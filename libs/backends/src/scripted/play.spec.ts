import fc from 'fast-check';
import { isWellFormed } from '../wire/well-formed.js';
import { piecesOf } from './play.js';

describe('pieces of a text', () => {
  it('add up to it and cut no character in two', () => {
    const texts = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, size) => {
        const pieces = [...piecesOf(text, size)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every(isWellFormed)).toBe(isWellFormed(text));
        expect(pieces.every((piece) => piece.length <= size + 1)).toBe(true);
      }),
    );
  });

  it('are few, however long the text is', () => {
    expect([...piecesOf('x'.repeat(10_000_000))].length).toBeLessThanOrEqual(256);
  });
});
