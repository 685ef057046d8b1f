import fc from 'fast-check';
import { parsePayload } from '#tools';
import { formatPayload } from '../../libs/toolclient/src/payload.js';

describe('a payload on its way from the client to the server', () => {
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
});
