import { parseMetadata } from './parse-metadata.js';

const origin = { file: '/t/find_it.yaml', stem: 'find_it' };

describe('tool metadata', () => {
  test('a description is enough; everything else has its default', () => {
    expect(parseMetadata({ description: ' Finds it.\n' }, origin)).toEqual({
      name: 'find_it',
      description: 'Finds it.',
      input: { type: 'object', properties: {} },
      tier: 'hot',
      parallel: 'none',
      bypass: 'never',
      timeout: 120,
      background: false,
      command: undefined,
      interpreter: undefined,
      pass: 'stdin',
      env: [],
      sandbox: 'default',
      requires: [],
      door: undefined,
    });
  });

  test('every key is read', () => {
    const content = {
      name: 'other',
      description: 'x',
      input: { type: 'object', properties: { a: { type: 'string' } } },
      tier: 'cold',
      parallel: 'read',
      bypass: 'ask',
      timeout: 3600,
      background: true,
      command: ['rg', '--json'],
      interpreter: 'python3',
      pass: 'argv',
      env: ['RG_CONFIG'],
      sandbox: 'default',
      requires: ['rg'],
      door: 'agent',
    };
    expect(parseMetadata(content, origin)).toEqual(content);
  });

  test.each([
    [null, '/t/find_it.yaml: expected keys and values'],
    [['x'], '/t/find_it.yaml: expected keys and values'],
    [{ description: new Date(0) }, '/t/find_it.yaml: expected keys and values'],
    [{}, '/t/find_it.yaml: description: missing'],
    [{ description: 'x', teir: 'hot' }, '/t/find_it.yaml: unknown key: teir'],
    [{ description: 'x', tier: 'warmish' }, '/t/find_it.yaml: tier: expected one of hot, warm, cold'],
    [{ description: 'x', timeout: 3601 }, '/t/find_it.yaml: timeout: expected a whole number from 1 to 3600'],
    [{ description: 'x', background: 'yes' }, '/t/find_it.yaml: background: expected true or false'],
    [{ description: 'x', command: [] }, '/t/find_it.yaml: command: expected a list of words, or a line for sh -c'],
    [{ description: 'x', requires: 'rg' }, '/t/find_it.yaml: requires: expected a list of words'],
    [{ description: 'x', env: [1] }, '/t/find_it.yaml: env: expected a list of words'],
    [{ description: 'x', input: { type: 'string' } }, '/t/find_it.yaml: input: expected a JSON Schema with type: object'],
    [{ description: 'x', name: 'Find-It' }, '/t/find_it.yaml: name: expected a name of lower-case letters, digits and _'],
  ])('%j is refused, naming file and key', (content, message) => {
    expect(() => parseMetadata(content, origin)).toThrow(message);
  });

  test('a file whose name is no tool name needs a name inside', () => {
    expect(() => parseMetadata({ description: 'x' }, { file: '/t/X.yaml', stem: 'X' })).toThrow('/t/X.yaml: name: expected a name');
    expect(parseMetadata({ description: 'x', name: 'x' }, { file: '/t/X.yaml', stem: 'X' }).name).toBe('x');
  });
});
