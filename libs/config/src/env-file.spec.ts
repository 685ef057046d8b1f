import { parseEnvFile } from './env-file.js';

const parse = (text: string): Readonly<Record<string, string>> => parseEnvFile(text, '/c/env');

describe('the env file', () => {
  it('gives names and values, without blank lines and comments', () => {
    expect(parse('# head\n\nA=1\n  export B = two words \n')).toEqual({ A: '1', B: 'two words' });
  });

  it('ends a value at " #", but not at "#" alone', () => {
    expect(parse('A=x # why\nB=x#y\nC= # nothing')).toEqual({ A: 'x', B: 'x#y', C: '' });
  });

  it('keeps everything inside one pair of quotes', () => {
    expect(parse(`A="x # y" # why\nB='"'\nC="open`)).toEqual({ A: 'x # y', B: '"', C: '"open' });
  });

  it.each(['nonsense', '=x', '1A=x', 'A B=x'])('refuses the line %j by its number', (line) => {
    expect(() => parse(`A=1\n${line}\n`)).toThrow('/c/env:2: expected NAME=value');
  });
});
