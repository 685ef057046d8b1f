import fc from 'fast-check';
import { escapeValue, unescapeValue } from './payload-value.js';

describe('values of a payload', () => {
  it('stay on one line', () => {
    expect(escapeValue('a\tb\nc\\d')).toBe('a\tb\\nc\\\\d');
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\\', 't', 'n', '\t', '\n', 'x') }), (value) => {
        expect(escapeValue(value)).not.toContain('\n');
        expect(unescapeValue(escapeValue(value))).toBe(value);
      }),
    );
  });

  it('keep a backslash before anything else, a tab of a field included', () => {
    expect(unescapeValue('\\t\\d\\')).toBe('\\t\\d\\');
  });
});
