import { takeDispatch } from './dispatch-fields.js';
import { typedArguments } from './typed-arguments.js';

const schema = {
  type: 'object',
  properties: {
    n: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    names: { type: 'array' },
    map: { type: 'object' },
    text: { type: 'string' },
    either: { type: ['string', 'integer'] },
    maybe: { type: ['integer', 'null'] },
  },
} as const;

describe('arguments that came as text', () => {
  test.each([
    ['n', '5', 5],
    ['ratio', '0.5', 0.5],
    ['deep', 'true', true],
    ['names', '["a","b"]', ['a', 'b']],
    ['map', '{"a":1}', { a: 1 }],
    ['text', '5', '5'],
    ['either', '5', '5'],
    ['maybe', 'null', null],
    ['unknown', '5', '5'],
    ['n', 'five', 'five'],
    ['deep', '1', '1'],
  ])('%s=%s becomes %j', (key, text, value) => {
    expect(typedArguments(new Map([[key, text]]), {}, schema)).toEqual({ [key]: value });
  });

  test('a line wins over the same key of the object', () => {
    expect(typedArguments(new Map([['n', '2']]), { n: 1, text: 'x' }, schema)).toEqual({ n: 2, text: 'x' });
  });

  test('__proto__ is an argument like any other', () => {
    const args = typedArguments(new Map([['__proto__', 'x']]), {}, schema);
    expect(Object.hasOwn(args, '__proto__')).toBe(true);
  });
});

describe('what is meant for the dispatcher', () => {
  test('is taken out before the tool sees it', () => {
    expect(takeDispatch({ cmd: 'ls', bypass: 'true', timeout: '7', sandbox: 'strict' })).toEqual({
      fields: { bypass: true, timeout: 7, sandbox: 'strict' },
      args: { cmd: 'ls' },
    });
  });

  test('has defaults, also for empty text', () => {
    const defaults = { bypass: false, timeout: undefined, sandbox: 'default' };
    expect(takeDispatch({})).toEqual({ fields: defaults, args: {} });
    expect(takeDispatch({ bypass: '', timeout: null, sandbox: '' })).toEqual({ fields: defaults, args: {} });
  });

  test.each([
    [{ bypass: 'yes' }, '/bypass must be true or false'],
    [{ timeout: 0 }, '/timeout must be a whole number of seconds from 1 to 3600'],
    [{ timeout: '3601' }, '/timeout must be a whole number of seconds from 1 to 3600'],
    [{ timeout: 'soon' }, '/timeout must be a whole number of seconds from 1 to 3600'],
    [{ sandbox: 3 }, '/sandbox must be a name'],
  ])('%j is refused', (args, why) => {
    expect(takeDispatch(args)).toBe(why);
  });
});
