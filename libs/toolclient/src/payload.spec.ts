import fc from 'fast-check';
import type { ToolRequest } from '#model';
import { parsePayload } from '#tools';
import { formatPayload } from './payload.js';

const identity = { token: 'f00d', agent: 'a-1', session: 's-1' };
const request: ToolRequest = { id: 'call_1', tool: 'shell', arguments: { cmd: 'a\\b\nc' }, cwd: '/p', env: { OLLIE_AGENT: 'x\ny' } };

describe('a payload', () => {
  it('has a line for each thing, with backslash and newline escaped', () => {
    expect(formatPayload(request, identity)).toBe(
      'token=f00d\ntool=shell\nagent=a-1\nsession=s-1\ncall=call_1\ncwd=/p\nenv.OLLIE_AGENT=x\\ny\nargs={"cmd":"a\\\\\\\\b\\\\nc"}\n',
    );
  });

  it('names no session when there is none', () => {
    expect(formatPayload(request, { ...identity, session: '' })).not.toContain('session=');
  });

  it('reads as what was meant, whatever the arguments are', () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue()).filter((value) => !JSON.stringify(value).includes('\\u0000'));
    fc.assert(
      fc.property(json, fc.string({ unit: fc.constantFrom('\\', 'n', '\n', '=', '/') }), (args, cwd) => {
        const plain: ToolRequest['arguments'] = JSON.parse(JSON.stringify(args));
        const payload = parsePayload(formatPayload({ ...request, arguments: plain, cwd }, identity));
        expect(payload).toMatchObject({ ...identity, tool: 'shell', call: 'call_1', cwd, env: request.env });
        expect(payload.args).toEqual(plain);
      }),
    );
  });
});
