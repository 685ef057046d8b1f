import { answerText, parsePendingRequest } from './pending-request.js';

const line = {
  id: 'b-12',
  agent: 'a-1',
  tool: 'shell',
  command: 'apt update',
  cwd: '/p',
  env: { HOME: '/h' },
  ts: 1,
  expires: 2,
  kind: 'permission',
  rule: 'no-apt',
  why: 'it installs',
  session: 'said by toolsrv',
  call: 'toolu_01',
  args: { cmd: 'apt update' },
  hash: 'f00',
};

describe('a line of bypass/pending', () => {
  it('is a request of the session that the tool server works for, with all that it shows', () => {
    expect(parsePendingRequest(JSON.stringify(line), 's-1')).toEqual({
      id: 'b-12',
      agent: 'a-1',
      call: 'toolu_01',
      request: {
        kind: 'permission',
        session: 's-1',
        agent: 'a-1',
        host: 'local',
        tool: 'shell',
        command: 'apt update',
        cwd: '/p',
        env: { HOME: '/h' },
        expires: 2,
        more: { rule: 'no-apt', why: 'it installs', call: 'toolu_01', args: { cmd: 'apt update' }, hash: 'f00' },
      },
    });
  });

  it.each(['id', 'agent', 'tool', 'command', 'cwd', 'env', 'expires', 'kind'])('without a proper %s is malformed', (key) => {
    for (const value of [undefined, [], true])
      expect(() => parsePendingRequest(JSON.stringify({ ...line, [key]: value }), 's-1')).toThrow(
        `malformed answer: bypass/pending: ${key}`,
      );
  });

  it('that is no object is malformed', () => {
    expect(() => parsePendingRequest('[]', 's-1')).toThrow('malformed answer: bypass/pending: no object');
  });
});

test('what bypass/resolve is told of a decision', () => {
  expect(answerText('b-1', { decision: 'approved', by: 'me', scope: 'session' })).toBe('{"id":"b-1","approved":true,"scope":"session"}');
  expect(answerText('b-1', { decision: 'rejected', by: 'me', text: 'no' })).toBe('{"id":"b-1","error":"no"}');
  expect(answerText('b-1', { decision: 'no observer' })).toBe('{"id":"b-1","error":"no observer"}');
  expect(answerText('b-1', { decision: 'timed out', afterMs: 1 })).toBe('{"id":"b-1","error":"timed out"}');
});
