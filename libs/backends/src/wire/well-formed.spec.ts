import fc from 'fast-check';
import { isWellFormed, wellFormed } from './well-formed.js';

describe('well-formed Unicode', () => {
  it('what came out can be encoded and is unchanged where it was right', () => {
    const units = fc.array(fc.constantFrom('a', '\uD83C', '\uDF0D', '\uDBFF', '\uDC00', 'ü', '\uFFFD')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(units, (text) => {
        const out = wellFormed(text);
        expect(out).toBe(Buffer.from(text, 'utf8').toString('utf8'));
        expect(isWellFormed(text)).toBe(out === text);
      }),
    );
  });
});
