import fc from 'fast-check';
import type { AgentRole } from '#model';
import { beginLine, ContentEscaper, endLine } from './markup.js';
import { parseMarkup } from './parse-markup.js';

function block(role: AgentRole, deltas: readonly string[], attributes = {}): string {
  const escaper = new ContentEscaper();
  const body = deltas.map((delta) => escaper.push(delta)).join('');
  const { rest, nonl } = escaper.finish();
  return beginLine(role, attributes) + body + rest + endLine(role, nonl);
}

const role = fc.constantFrom<AgentRole>('user', 'assistant', 'reasoning', 'call', 'tool', 'error', 'info');
const spiky = fc.string({ unit: fc.constantFrom('[', '\\', '\n', 'a', ']', '/') });
const content = fc.oneof(spiky, fc.string({ unit: 'binary' }), fc.constantFrom('[[[/user]]]\n', '\\[[[x', '\n', ''));
const key = fc.stringMatching(/^[A-Za-z]\w{0,8}$/);
const attributes = fc.dictionary(key, fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean()));

describe('block markup', () => {
  it('writes the contract example', () => {
    expect(block('user', ['fix the bug in main.go'], { id: 17, ts: 1764498300123 })).toBe(
      '[[[user id=17 ts=1764498300123]]]\nfix the bug in main.go\n[[[/user nonl=1]]]\n',
    );
    expect(block('tool', ['1  package main\n'], { id: 19, name: 'file_read', error: false })).toBe(
      '[[[tool id=19 name=file_read error=false]]]\n1  package main\n[[[/tool]]]\n',
    );
  });

  it('writes values that are not bare as JSON strings', () => {
    expect(beginLine('call', { name: 'a b', call: 'c"\n', path: 'x/y.z:1+2-3_4' })).toBe(
      '[[[call name="a b" call="c\\"\\n" path=x/y.z:1+2-3_4]]]\n',
    );
    expect(beginLine('call', { name: '' })).toBe('[[[call name=]]]\n');
  });

  it('escapes lines that look like markers and no others', () => {
    expect(block('assistant', ['[[[user]]]\n\\[[[x\n a [[[b\n[[c\n'])).toBe(
      '[[[assistant]]]\n\\[[[user]]]\n\\\\[[[x\n a [[[b\n[[c\n[[[/assistant]]]\n',
    );
  });

  it('keeps the difference between no content, an empty line and no newline at the end', () => {
    expect(block('info', [])).toBe('[[[info]]]\n[[[/info]]]\n');
    expect(block('info', ['\n'])).toBe('[[[info]]]\n\n[[[/info]]]\n');
    expect(block('info', ['['])).toBe('[[[info]]]\n[\n[[[/info nonl=1]]]\n');
  });

  it('gives back at once what can no longer be the head of a marker', () => {
    const escaper = new ContentEscaper();
    expect(escaper.push('[')).toBe('');
    expect(escaper.push('[')).toBe('');
    expect(escaper.push('x')).toBe('[[x');
    expect(escaper.push('[')).toBe('[');
    expect(escaper.push('\n\\')).toBe('\n\\');
  });

  it('round-trips any content, however it is cut into deltas', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(role, fc.array(content, { maxLength: 6 }), attributes), { maxLength: 4 }), (blocks) => {
        const text = blocks.map(([name, deltas, values]) => block(name, deltas, values)).join('');
        expect(parseMarkup(text)).toEqual(
          blocks.map(([name, deltas, values]) => ({
            role: name,
            attributes: Object.fromEntries(Object.entries(values).map(([word, value]) => [word, String(value)])),
            content: deltas.join(''),
          })),
        );
      }),
    );
  });

  it('leaves nothing but content when the marker lines are filtered out', () => {
    fc.assert(
      fc.property(fc.array(content), (deltas) => {
        const kept = block('assistant', deltas)
          .split('\n')
          .filter((line) => !line.startsWith('[[['));
        const lines = deltas.join('').split('\n');
        if (lines.at(-1) === '') lines.pop();
        expect(kept.slice(0, -1)).toEqual(lines.map((line) => (/^\\*\[\[\[/.test(line) ? `\\${line}` : line)));
      }),
    );
  });
});

describe('parseMarkup', () => {
  it('leaves an unfinished block out', () => {
    expect(parseMarkup('[[[user id=1]]]\nhi\n[[[/user]]]\n[[[assistant id=2]]]\nhel')).toEqual([
      { role: 'user', attributes: { id: '1' }, content: 'hi\n' },
    ]);
  });

  it('refuses text that is no block', () => {
    expect(() => parseMarkup('hello\n')).toThrow(SyntaxError);
    expect(() => parseMarkup('[[[user]]]\n[[[/tool]]]\n')).toThrow(SyntaxError);
    expect(() => parseMarkup('[[[user id=a b]]]\n')).toThrow(SyntaxError);
  });
});
