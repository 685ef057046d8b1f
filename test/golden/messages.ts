import type { AssistantMessage, ToolCall, ToolMessage } from '#model';

// Messages as short as a conversation of a test wants them.

export function call(id: string, name: string, input: ToolCall['arguments'] = {}): ToolCall {
  return { id, name, arguments: input, rawArguments: JSON.stringify(input) };
}

export function assistant(content: AssistantMessage['content'], ...toolCalls: ToolCall[]): AssistantMessage {
  return { role: 'assistant', content, toolCalls };
}

export const text = (value: string) => ({ type: 'text', text: value }) as const;

export const image = (data: string, mimeType = 'image/png') => ({ type: 'image', mimeType, data }) as const;

export function result(toolCallId: string, toolName: string, content: ToolMessage['content'], isError = false): ToolMessage {
  return { role: 'tool', toolCallId, toolName, content, isError };
}
