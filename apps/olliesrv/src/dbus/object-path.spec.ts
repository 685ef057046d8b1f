import { escaped, sessionPath } from './object-path.js';

describe('an object path', () => {
  it('names a session by its id', () => {
    expect(sessionPath('893803455534-2d8ab2')).toBe('/org/ollie/session/_3893803455534_2d2d8ab2');
  });

  it.each([
    ['abc', 'abc'],
    ['a1', 'a1'],
    ['1a', '_31a'],
    ['a_b', 'a_5fb'],
    ['ä', '_c3_a4'],
    ['', '_'],
  ])('takes %j as %s', (text, element) => {
    expect(escaped(text)).toBe(element);
  });
});
