import fc from 'fast-check';
import { escapeField, unescapeField } from './field.js';

describe('fields of text answers', () => {
  it('stay on one line and in one column', () => {
    expect(escapeField('a\tb\nc\\d')).toBe('a\\tb\\nc\\\\d');
  });

  it('come back as they were', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('\\', 't', 'n', '\t', '\n', 'x') }), (value) => {
        expect(escapeField(value)).not.toMatch(/[\t\n]/);
        expect(unescapeField(escapeField(value))).toBe(value);
      }),
    );
  });

  it('leave other backslashes alone', () => {
    expect(unescapeField('\\d\\')).toBe('\\d\\');
  });
});
