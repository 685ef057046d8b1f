import type { ModelRequest } from '#model';

/** The ids of the tool calls of a conversation. */
export function usedIdsIn({ messages }: ModelRequest): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => (message.role === 'assistant' ? message.toolCalls.map(({ id }) => id) : [])));
}
