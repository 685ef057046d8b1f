import fc from 'fast-check';
import { limitText, MAX_RESULT_BYTES } from './limit-text.js';

describe('limitText', () => {
  it('leaves a text alone that fits', () => {
    const text = 'é'.repeat(MAX_RESULT_BYTES / 2);
    expect(limitText(text, MAX_RESULT_BYTES)).toBe(text);
  });

  it('keeps head and tail and says how much is left out', () => {
    const limited = limitText(`begin${'x'.repeat(MAX_RESULT_BYTES)}end`, MAX_RESULT_BYTES);
    expect(limited).toMatch(/^beginx+\n\[\.\.\. (\d+) of 32776 bytes left out \.\.\.\]\nx+end$/);
    const [, left] = /(\d+) of/.exec(limited) ?? [];
    expect(limited.replace(/\n\[.*\]\n/, '').length + Number(left)).toBe(32776);
  });

  it('never exceeds the limit and never cuts a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'é', '€', '😀'), minLength: 200, maxLength: 600 }), (text) => {
        const limited = limitText(text, 256);
        expect(Buffer.byteLength(limited)).toBeLessThanOrEqual(256);
        expect(limited).not.toContain('\ufffd');
      }),
    );
  });
});
