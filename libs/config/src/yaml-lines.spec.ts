import { yamlLines } from './yaml-lines.js';

describe('the lines of a YAML text', () => {
  it('are those of its keys and list items, whatever the style', () => {
    const text = ['# first', 'a:', '  b: [x,', '    y]', '  "c d": 1', 'e:', '- 1', '-', '  f: 2'].join('\n');
    expect(Object.fromEntries(yamlLines(text))).toEqual({
      '': 2,
      a: 2,
      'a.b': 3,
      'a.b[0]': 3,
      'a.b[1]': 4,
      'a.c d': 5,
      e: 6,
      'e[0]': 7,
      'e[1]': 9,
      'e[1].f': 9,
    });
  });

  it('leave aliases out, and are empty for no YAML', () => {
    expect(yamlLines('a: &x [1]\nb: *x\nc: 2\n').get('c')).toBe(3);
    expect(yamlLines('a: [').size).toBe(0);
    expect(yamlLines('').size).toBe(0);
  });
});
