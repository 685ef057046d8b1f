import { fakeTool } from '#testkit';
import { argumentList, toolGrants } from './command-line.js';

const line = (rest: Parameters<typeof fakeTool>[1], args = {}): readonly string[] =>
  argumentList(fakeTool({ name: 't', inputSchema: { type: 'object', properties: { b: {}, a: {}, n: {} } } }, rest), args, '/the/node');

describe('the argument list of a tool', () => {
  test('a list is taken as it is', () => {
    expect(line({ command: { type: 'argv', argv: ['rg', '--json'] } })).toEqual(['rg', '--json']);
  });

  test('a line is for sh -c; arguments never become part of it', () => {
    expect(line({ command: { type: 'shell', line: 'echo "$1"' }, pass: 'argv' }, { a: '$(id)' })).toEqual([
      'sh',
      '-c',
      'echo "$1"',
      't',
      '$(id)',
    ]);
  });

  test('a file runs directly or through its interpreter; node is the Node of the server', () => {
    expect(line({ command: { type: 'file', path: '/t/x', interpreter: undefined } })).toEqual(['/t/x']);
    expect(line({ command: { type: 'file', path: '/t/x.py', interpreter: 'python3' } })).toEqual(['python3', '/t/x.py']);
    expect(line({ command: { type: 'file', path: '/t/x.mjs', interpreter: 'node' } })).toEqual(['/the/node', '/t/x.mjs']);
  });

  test('positional arguments come in the order of the schema, absent ones are left out', () => {
    expect(line({ command: { type: 'argv', argv: ['t'] }, pass: 'argv' }, { n: 5, b: 'x' })).toEqual(['t', 'x', '5']);
  });

  test('a tool may always run what lies beside it, and Node only if it is a Node script', () => {
    const own = { path: '/real/t', access: 'rox', origin: 'tool t' };
    expect(toolGrants(fakeTool({ name: 't' }), '/real/t', '/node')).toEqual([own]);
    const script = fakeTool({ name: 't' }, { command: { type: 'file', path: '/t/x.mjs', interpreter: 'node' } });
    expect(toolGrants(script, '/real/t', '/node')).toEqual([own, { ...own, path: '/node' }]);
  });
});
