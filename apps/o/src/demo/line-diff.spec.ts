import fc from 'fast-check';
import { lineDiff } from './line-diff.js';

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');
const numbers = (from: number, to: number): readonly string[] => Array.from({ length: to - from + 1 }, (_, index) => String(from + index));

/** Both sides that a hunk tells of, and where they stand. */
function read(hunk: string) {
  const [head = '', ...lines] = hunk.replace(/\n$/, '').split('\n');
  const side = (mark: string): readonly string[] =>
    lines.filter((line) => line.startsWith(' ') || line.startsWith(mark)).map((line) => line.slice(1));
  const [, start, removed, , added] = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(head) ?? [];
  return { start: Number(start) - 1, counts: [Number(removed), Number(added)], before: side('-'), after: side('+') };
}

describe('a diff of lines', () => {
  it('shows the change between three lines of what is around it', () => {
    const before = text(...numbers(1, 9));
    expect(lineDiff(before, before.replace('5', 'five'))).toBe('@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n');
  });

  it('shows a whole new file and a file that is gone', () => {
    expect(lineDiff('', text('a', 'b'))).toBe('@@ -1,0 +1,2 @@\n+a\n+b\n');
    expect(lineDiff(text('a'), '')).toBe('@@ -1,1 +1,0 @@\n-a\n');
  });

  it('turns one text into the other, whatever they are', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 });
    fc.assert(
      fc.property(lines, lines, (old, current) => {
        const { start, counts, before, after } = read(lineDiff(text(...old), text(...current)));
        expect(counts).toEqual([before.length, after.length]);
        expect(old.slice(start, start + before.length)).toEqual(before);
        expect([...old.slice(0, start), ...after, ...old.slice(start + before.length)]).toEqual(current);
      }),
    );
  });
});
