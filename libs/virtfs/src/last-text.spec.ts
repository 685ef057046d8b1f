import { LastText } from './last-text.js';

const long = (letter: string): string => letter.repeat(5000);

describe('what a text file last was', () => {
  it.each(['short', long('x')])('is the very same bytes for the same content, however many hold them', (content) => {
    const last = new LastText();
    const bytes = last.note(content);
    expect(Buffer.from(bytes).toString()).toBe(content);
    expect(last.note(content)).toBe(bytes);
    last.note(`${content}, changed`);
    const again = last.note(content);
    expect(Buffer.from(again).toString()).toBe(content);
    expect(last.note(content)).toBe(again);
  });

  it('counts a version for each change, short or long, and none for what is the same', () => {
    const last = new LastText();
    const versions = ['', 'a', 'a', long('a'), long('a'), long('b'), 'b', 'b', ''].map((content) => {
      last.note(content);
      return last.facts.version;
    });
    expect(versions).toEqual([0, 1, 1, 2, 2, 3, 4, 4, 5]);
    expect(last.facts.length).toBe(0);
  });
});
