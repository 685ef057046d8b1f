import type { ModelRequest, ToolCall } from '#model';

/** The tool calls of a conversation, oldest first. */
export function callsIn({ messages }: ModelRequest): readonly ToolCall[] {
  return messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : []));
}
