import fc from 'fast-check';
import { formatPayload } from '../../toolclient/src/payload.js';
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
    expect(payload).toMatchObject({ token: 't', tool: 'x', agent: 'a', session: 's', cwd: '/p', label: 'l', call: 'c', env: { GOOS: 'linux' } });
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

  test('whatever the client formats comes back as it was', () => {
    const texts = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', ''));
    const call = fc.record({ id: texts, tool: texts, cwd: texts, env: fc.dictionary(fc.stringMatching(/^[A-Z_]{1,8}$/), texts) });
    const args = fc.dictionary(texts, fc.oneof(texts, fc.integer(), fc.boolean(), fc.array(texts)), { noNullPrototype: true });
    fc.assert(
      fc.property(call, args, (request, given) => {
        const sent = JSON.stringify(given);
        const payload = parsePayload(formatPayload({ ...request, arguments: given }, { token: 't', agent: 'a', session: 's' }));
        expect(payload).toMatchObject({ call: request.id, tool: request.tool, cwd: request.cwd, token: 't', agent: 'a', session: 's' });
        expect(payload.env).toEqual({ ...request.env });
        expect(JSON.stringify(payload.args)).toBe(sent);
      }),
      { seed: 20261130, numRuns: 300 },
    );
  });

  test('any text is parsed or refused, never anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('=', '\n', '\\', 'n', 'a', 'args', '{', '}', '\0') }), (text) => {
        try {
          expect(parsePayload(text).fields.has('args')).toBe(false);
        } catch (error) {
          expect(String(error)).toMatch(/bad payload line \d+$/);
        }
      }),
      { seed: 20261130, numRuns: 500 },
    );
  });
});
