import fc from 'fast-check';
import { PayloadError } from './errors.js';
import { parsePayload } from './payload.js';

describe('a proc/new payload', () => {
  test('the seed form with a command and the same as an object is one call', () => {
    const payload = parsePayload('tool=shell\nagent=a-1\ncmd=go test ./...\nargs={"cmd":"go test ./..."}\n');
    expect(payload.tool).toBe('shell');
    expect(payload.agent).toBe('a-1');
    expect([...payload.fields]).toEqual([['cmd', 'go test ./...']]);
    expect(payload.args).toEqual({ cmd: 'go test ./...' });
  });

  test('exactly backslash and newline are escaped; any other backslash stays', () => {
    const payload = parsePayload(String.raw`cmd=printf "a\\nb\n\t\x\"` + '\n');
    expect(payload.fields.get('cmd')).toBe('printf "a\\nb\n\\t\\x\\"');
  });

  test('a value may hold further equals signs, and may be empty', () => {
    const payload = parsePayload('a=b=c\nd=\n');
    expect([...payload.fields]).toEqual([
      ['a', 'b=c'],
      ['d', ''],
    ]);
  });

  test('reserved keys and variables never become arguments', () => {
    const payload = parsePayload('token=t\ntool=x\nagent=a\nsession=s\ncwd=/p\nlabel=l\ncall=c\nenv.GOOS=linux\nn=5');
    expect(payload).toMatchObject({
      token: 't',
      tool: 'x',
      agent: 'a',
      session: 's',
      cwd: '/p',
      label: 'l',
      call: 'c',
      env: { GOOS: 'linux' },
    });
    expect([...payload.fields.keys()]).toEqual(['n']);
  });

  test.each([
    ['tool=x\nnonsense\n', 2],
    ['=x\n', 1],
    ['tool=x\n\ncmd=a\ncmd=b\n', 4],
    ['tool=x\ncmd=a\0b\n', 2],
    ['tool=x\nargs=[1]\n', 2],
    ['args={"a":\n', 1],
    ['args={"a":["\\u0000"]}\n', 1],
  ])('%j is refused, naming line %d', (text, line) => {
    expect(() => parsePayload(text)).toThrow(`illegal argument: bad payload line ${line}`);
  });

  test('more than 16 MiB are refused', () => {
    expect(() => parsePayload(`a=${'x'.repeat(16 * 1024 * 1024)}`)).toThrow('message too long');
  });

  test('any text is parsed or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('=', '\n', '\\', 'n', 'a', 'args', '{', '}', '\0') }), (text) => {
        const outcome = parsedOrRefused(text);
        expect(outcome).toMatch(/^(parsed|illegal argument: bad payload line \d+)$/);
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });
});

function parsedOrRefused(text: string): string {
  try {
    return parsePayload(text).fields.has('args') ? 'args is no field' : 'parsed';
  } catch (error) {
    return error instanceof PayloadError ? error.message : String(error);
  }
}
