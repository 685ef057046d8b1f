import { userText, type Message, type ModelRequest, type ToolCall } from '#model';
import { violationIn } from './strict.js';

const call = (id: string, name = 'ls'): ToolCall => ({ id, name, arguments: {}, rawArguments: '{}' });
const called = (...calls: readonly ToolCall[]): Message => ({ role: 'assistant', content: [], toolCalls: calls });
const said = (text: string): Message => ({ role: 'assistant', content: [{ type: 'text', text }], toolCalls: [] });
const result = (toolCallId: string, toolName = 'ls', text = ''): Message => ({
  role: 'tool',
  toolCallId,
  toolName,
  content: [{ type: 'text', text }],
  isError: false,
});
const tool = (name: string, parameters = { type: 'object' }): ModelRequest['tools'][number] => ({ name, description: '', parameters });

function violation(messages: readonly Message[], more: Partial<ModelRequest> = {}): string | undefined {
  return violationIn({ model: 'm', system: '', messages, tools: [], params: {}, ...more });
}

const hi = userText('hi');

describe('strict mode', () => {
  it.each<[string, readonly Message[]]>([
    ['a question', [hi]],
    ['a call and its result', [hi, called(call('a')), result('a')]],
    ['two calls, results in another order', [hi, called(call('a'), call('b')), result('b'), result('a'), userText('more')]],
    ['a turn that was stopped', [hi, called(call('a')), result('a', 'ls', 'interrupted'), userText('next'), said('ok'), userText('more')]],
    ['users in a row', [hi, hi]],
    ['an image alone', [{ role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'AA' }] }]],
  ])('takes %s', (_name, messages) => {
    expect(violation(messages)).toBeUndefined();
  });

  it.each<[string, readonly Message[]]>([
    ['messages: there are none', []],
    ['messages 1: the first message must be of role user', [said('x'), hi]],
    ['messages 2: the last message must not be of role assistant', [hi, said('x')]],
    ['messages 3: tool call a has no result directly after it', [hi, called(call('a')), hi]],
    ['messages 4: tool call b has no result directly after it', [hi, called(call('a'), call('b')), result('a'), hi, result('b')]],
    ['tool call b has no result directly after it', [hi, called(call('a'), call('b')), result('a')]],
    ['messages 2: tool result a answers no open call of the message before it', [hi, result('a')]],
    ['messages 4: tool result a answers no open call of the message before it', [hi, called(call('a')), result('a'), result('a')]],
    ['messages 5: tool result a answers no open call of the message before it', [hi, called(call('a')), result('a'), hi, result('a')]],
    ['messages 3: tool result a names cat, its call ls', [hi, called(call('a')), result('a', 'cat')]],
    ['messages 2: a text block is empty', [hi, said(''), hi]],
    ['messages 1: a text block is empty', [userText('')]],
    ['messages 1: a message of role user is empty', [{ role: 'user', content: [] }]],
    ['messages 2: a message of role assistant is empty', [hi, called(), hi]],
    ['messages 2: illegal tool call id "a.b"', [hi, called(call('a.b')), result('a.b')]],
    ['messages 2: illegal tool call id ""', [hi, called(call('')), result('')]],
    [`messages 2: illegal tool call id "${'x'.repeat(65)}"`, [hi, called(call('x'.repeat(65))), result('x'.repeat(65))]],
    ['messages 2: illegal tool name "a b"', [hi, called(call('a', 'a b')), result('a', 'a b')]],
    ['messages 2: tool call id a is used twice', [hi, called(call('a'), call('a')), result('a')]],
    ['messages 4: tool call id a is used twice', [hi, called(call('a')), result('a'), called(call('a')), result('a')]],
    ['messages: a text holds a lone surrogate', [userText('\uD800')]],
    ['messages: a text holds a lone surrogate', [hi, called({ ...call('a'), arguments: { deep: ['\uDC00'] } }), result('a')]],
  ])('refuses: %s', (why, messages) => {
    expect(violation(messages)).toBe(why);
  });

  it.each<[string, Partial<ModelRequest>]>([
    ['tools: illegal name "a.b"', { tools: [tool('a.b')] }],
    ['tools: a is there twice', { tools: [tool('a'), tool('a')] }],
    ['tools: parameters of a are not a schema of type object', { tools: [tool('a', { type: 'array' })] }],
    ['system: a text holds a lone surrogate', { system: 'x\uD83D' }],
    ['tools: a text holds a lone surrogate', { tools: [{ ...tool('a'), description: '\uD83D' }] }],
  ])('refuses: %s', (why, more) => {
    expect(violation([hi], more)).toBe(why);
  });
});
