import { compileCheck } from './check-arguments.js';

const check = compileCheck({
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: { path: { type: 'string', minLength: 1 }, mode: { enum: ['a', 'b'] }, at: { type: 'object', required: ['line'] } },
});

describe('checking arguments', () => {
  test('arguments that fit pass', () => {
    expect(check({ path: 'x', mode: 'a' })).toBeUndefined();
  });

  test.each([
    [{}, '/path is required'],
    [{ path: 5 }, '/path must be string'],
    [{ path: '' }, '/path must NOT have fewer than 1 characters'],
    [{ path: 'x', other: 1 }, '/other is not an argument of this tool'],
    [{ path: 'x', mode: 'c' }, '/mode must be one of ["a","b"]'],
    [{ path: 'x', at: {} }, '/at/line is required'],
  ])('%j: says where and why', (args, why) => {
    expect(check(args)).toBe(why);
  });

  test('a keyword that JSON Schema does not know is found when it is compiled', () => {
    const halved = { type: 'string', description: 'Absolute path', 'or relative to the working directory.': null };
    expect(() => compileCheck({ type: 'object', properties: { file_path: halved } })).toThrow(/or relative to the working directory/);
  });

  test('a schema that is none is found when it is compiled', () => {
    expect(() => compileCheck({ type: 'objekt' })).toThrow(/type/);
  });
});
