import { userText, type Message } from '#model';
import { checkPairing } from './check-pairing.js';
import { fakeCall } from './fake-backend.js';

const user = userText('hi');
const asks = (...ids: string[]): Message => ({ role: 'assistant', content: [], toolCalls: ids.map((id) => fakeCall(id, 't')) });
const says = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }], toolCalls: [] });
const result = (toolCallId: string): Message => ({
  role: 'tool',
  toolCallId,
  toolName: 't',
  content: [{ type: 'text', text: 'x' }],
  isError: false,
});

describe('checkPairing', () => {
  it('accepts calls with their results', () => {
    expect(checkPairing([user, asks('1', '2'), result('1'), result('2'), says('ok'), user])).toEqual([]);
  });

  it.each<[string, readonly Message[]]>([
    ['a missing result', [user, asks('1', '2'), result('1'), user]],
    ['a stray result', [user, says('x'), result('1')]],
    ['a result too many', [user, asks('1'), result('1'), result('1')]],
    ['results in another order', [user, asks('1', '2'), result('2'), result('1')]],
    ['a result of an earlier answer', [user, asks('1'), result('1'), asks('2'), result('1')]],
    ['repeated ids', [user, asks('1', '1'), result('1'), result('1')]],
    ['two user messages', [user, user]],
    ['two assistant messages', [user, says('a'), says('b'), user]],
    ['an answer at the end', [user, says('a')]],
    ['an answer at the start', [says('a'), user]],
    ['an empty answer', [user, asks(), user]],
    ['empty text', [user, says(' '), user]],
    ['nothing', []],
  ])('reports %s', (_what, messages) => {
    expect(checkPairing(messages)).not.toEqual([]);
  });
});
