import type { Message, ToolCall } from '#model';

export function assistant(text: string, toolCalls: readonly ToolCall[]): Message {
  return { role: 'assistant', content: text === '' ? [] : [{ type: 'text', text }], toolCalls };
}

export function result({ id, name }: ToolCall, text: string): Message {
  return { role: 'tool', toolCallId: id, toolName: name, content: [{ type: 'text', text }], isError: false };
}
