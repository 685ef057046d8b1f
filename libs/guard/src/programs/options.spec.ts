import { NO_GRAMMAR, parseOptionGrammar, parseOptions } from './options.js';

const rm = parseOptionGrammar('r,R,recursive f,force i,interactive I,interactive-once one-file-system o,output:');
const read = (line: string, stop = false): object => {
  const { given, operands } = parseOptions(line.split(' '), rm, stop);
  return { given: Object.fromEntries(given), operands };
};

describe('parseOptions', () => {
  it.each(['-rf x', '-r -f x', '-f x -R', '--recursive --force x', '--rec --forc x', '-fr -- x'])('reads %s the same way', (line) => {
    expect(read(line)).toEqual({ given: { recursive: [], force: [] }, operands: ['x'] });
  });

  it('takes values apart or joined', () => {
    for (const line of ['-o v x', '-ov x', '--output v x', '--output=v x', 'x -o v'])
      expect(read(line)).toEqual({ given: { output: ['v'] }, operands: ['x'] });
  });

  it('takes nothing after -- for an option', () => {
    expect(read('-f -- -r')).toEqual({ given: { force: [] }, operands: ['-r'] });
  });

  it('stops at the first operand when told', () => {
    expect(read('-f x -r', true)).toEqual({ given: { force: [] }, operands: ['x', '-r'] });
  });

  it('leaves an abbreviation that may mean two as it is', () => {
    expect(read('--inter x')).toEqual({ given: { inter: [] }, operands: ['x'] });
  });

  it('takes options of an unknown program letter by letter and as a whole', () => {
    expect([...parseOptions(['-auto', '--yes=1', 'x'], NO_GRAMMAR).given.keys()]).toEqual(['auto', 'a', 'u', 't', 'o', 'yes']);
  });
});
