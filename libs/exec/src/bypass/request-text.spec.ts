import { isJsonObject, parseJson, type JsonObject } from '#model';
import { approvalHash } from './approval-hash.js';
import type { BypassOrder } from './bypass-order.js';
import { requestText } from './request-text.js';
import { sampleOrder } from './testing/sample-order.js';

const order: BypassOrder = { ...sampleOrder, cwd: '/p' };

const textOf = (more: Partial<BypassOrder> = {}): string => requestText('b-12', { ...order, ...more }, { ts: 1, expires: 2 }, 'f00');

function shown(more: Partial<BypassOrder>): JsonObject {
  const value = parseJson(textOf(more));
  if (!isJsonObject(value)) throw new Error('no object');
  return value;
}

describe('what observers are shown', () => {
  test('begins as the contract has it, and goes on with what is exact', () => {
    expect(textOf()).toBe(
      '{"id":"b-12","agent":"a-1","tool":"shell","command":"apt update","cwd":"/p","env":{"HOME":"/h"},"ts":1,"expires":2,' +
        '"kind":"bypass","session":"s-1","call":"c-1","args":{"cmd":"apt update"},"hash":"f00"}',
    );
  });

  test('tells what is asked for, and the rule that asks', () => {
    const question = { rule: 'publish', why: 'it cannot be \u001b[2J taken back' };
    const asked = { kind: 'permission', rule: 'publish', why: 'it cannot be \\x1b[2J taken back' };
    expect(shown({ kind: 'permission', question })).toMatchObject(asked);
    expect(shown({ question })).toMatchObject({ ...asked, kind: 'bypass' });
    expect(Object.keys(shown({}))).not.toContain('rule');
    expect(shown({ kind: 'permission', question, sandbox: 'readonly' })).toMatchObject({ sandbox: 'readonly' });
    expect(Object.keys(shown({ kind: 'permission', question }))).not.toContain('sandbox');
  });

  test('a tool without cmd is shown with all its arguments, and stdin beside cmd is among them', () => {
    expect(shown({ tool: 'put', args: { path: 'x', n: 1 } })['command']).toBe('put {"path":"x","n":1}');
    expect(shown({ args: { cmd: 'sh', stdin: 'rm -rf /' } })['args']).toEqual({ cmd: 'sh', stdin: 'rm -rf /' });
  });

  test('characters that a terminal would act on are visible in what a person reads, and escaped in what is exact', () => {
    const cmd = 'echo \u001b[2J\u202egpj\u2066\u0085\nrm';
    const { command, args } = shown({ args: { cmd }, cwd: '/p\u202e', agent: 'a\u0007' });
    expect([command, args]).toEqual(['echo \\x1b[2J\\u202egpj\\u2066\\x85\\nrm', { cmd }]);
    expect(shown({ cwd: '/p\u202e', agent: 'a\u0007' })).toMatchObject({ cwd: '/p\\u202e', agent: 'a\\x07' });
    expect(textOf({ args: { cmd: `${cmd}\u200b\ud83d\ude00\udb40\udc41`, '\u202e': 1 } })).toMatch(/^[\u0020-\u007e\u{1f600}]*$/u);
  });

  test('secrets by name and logins in addresses are masked, names are not', () => {
    const env = { GITHUB_TOKEN: 'hush', MY_KEY_FILE: '/hush', https_proxy: 'http://me:hush@proxy:1/', PATH: '/bin', 'A\u202e': '\u001b' };
    const masked = { GITHUB_TOKEN: '***', MY_KEY_FILE: '***', https_proxy: 'http://***@proxy:1/', PATH: '/bin', 'A\\u202e': '\\x1b' };
    expect(shown({ env })['env']).toEqual(masked);
  });
});

describe('the hash of a request', () => {
  const hash = approvalHash(order);

  test('is the same for the same', () => {
    expect(approvalHash({ ...order, env: { ...order.env } })).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test.each<[keyof BypassOrder, Partial<BypassOrder>]>([
    ['kind', { kind: 'permission' }],
    ['agent', { agent: 'a-2' }],
    ['session', { session: 's-2' }],
    ['tool', { tool: 'shell2' }],
    ['args', { args: { cmd: 'apt update ' } }],
    ['argv', { argv: ['/tools/other'] }],
    ['sandbox', { sandbox: 'readonly' }],
    ['cwd', { cwd: '/p/' }],
    ['env', { env: { HOME: '/h2' } }],
  ])('is another one for another %s', (_what, more) => {
    expect(approvalHash({ ...order, ...more })).not.toBe(hash);
  });
});
