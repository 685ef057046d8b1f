import { userText, type Message, type ToolCall } from '#model';
import { conversationSteps } from './conversation-steps.js';

const call = (id: string): ToolCall => ({ id, name: 'ls', arguments: {}, rawArguments: '{}' });
const assistant = (...ids: readonly string[]): Message => ({ role: 'assistant', content: [], toolCalls: ids.map(call) });
const result = (toolCallId: string, text: string, isError = false): Message => ({
  role: 'tool',
  toolCallId,
  toolName: 'ls',
  content: [{ type: 'text', text }],
  isError,
});

/** `text` of the user, `(id: text, ...)` of an answer with its results. */
function shown(...messages: readonly Message[]): readonly string[] {
  const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
    content.map(({ text }) => text).join(' ');
  return conversationSteps(messages).map((step) =>
    step.role === 'user'
      ? textOf(step.content)
      : `(${step.results.map((one) => `${one.call.id}${one.isError ? '!' : ''}: ${textOf(one.content)}`).join(', ')})`,
  );
}

describe('a conversation in steps', () => {
  it('results are beside their calls, in the order of the calls', () => {
    expect(shown(userText('a'), assistant('1', '2'), result('2', 'two'), result('1', 'one', true), userText('b'), assistant())).toEqual([
      'a',
      '(1!: one, 2: two)',
      'b',
      '()',
    ]);
  });

  it('a call without a result gets one', () => {
    expect(shown(assistant('1', '2'), result('2', 'two'), userText('b'))).toEqual(['(1!: (the call was not run), 2: two)', 'b']);
    expect(shown(assistant('1'))).toEqual(['(1!: (the call was not run))']);
  });

  it('a result without a call, and a second one of the same call, are told as text', () => {
    const told = (text: string): string => `Result of an earlier call of ls: ${text}`;
    expect(shown(result('0', 'zero'), assistant('1'), result('1', 'one'), result('1', 'again'), result('9', 'nine'))).toEqual([
      told('zero'),
      '(1: one)',
      told('again'),
      told('nine'),
    ]);
    expect(shown(assistant('1'), userText('b'), result('1', 'late'))).toEqual(['(1!: (the call was not run))', 'b', told('late')]);
  });
});
