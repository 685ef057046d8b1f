import { visible } from './visible.js';

describe('visible text', () => {
  it.each([
    ['plain äöü 漢 🙂', 'plain äöü 漢 🙂'],
    ['a\tb\nc\rd', 'a\\tb\\nc\\rd'],
    ['\u001b[2J\u0007\u007f\u0085', '\\x1b[2J\\x07\\x7f\\x85'],
    ['\u202eevil\u2069\u200f', '\\u202eevil\\u2069\\u200f'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });
});
