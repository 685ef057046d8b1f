import type { AssistantMessage, Message } from '#model';

const MAY_FOLLOW: Readonly<Record<Message['role'], readonly (Message['role'] | 'start')[]>> = {
  user: ['start', 'assistant', 'tool'],
  assistant: ['user', 'tool'],
  tool: ['assistant', 'tool'],
};

/**
 * The rules that a history breaks which a provider is to accept, empty when it is fine: it begins with
 * the user, ends with the user or a tool result, user and assistant messages have no neighbour of their
 * kind, every assistant tool call has exactly one result directly after it, in the order of the calls,
 * ids of one answer differ, and nothing is empty.
 */
export function checkPairing(messages: readonly Message[]): readonly string[] {
  const faults = messages.flatMap((message, index) => [...faultsAt(messages, message, index)]);
  const last = messages.at(-1)?.role;
  if (last !== 'user' && last !== 'tool') faults.push(`ends with ${last ?? 'nothing'}`);
  return faults;
}

function* faultsAt(messages: readonly Message[], message: Message, index: number): Generator<string> {
  const { role } = message;
  const before = messages[index - 1]?.role ?? 'start';
  if (!MAY_FOLLOW[role].includes(before)) yield `${index}: ${role} after ${before}`;
  if (message.content.some((part) => part.type === 'text' && part.text.trim() === '')) yield `${index}: empty text`;
  if (role !== 'assistant' && message.content.length === 0) yield `${index}: no content`;
  if (role === 'assistant') yield* faultsOfAnswer(messages, message, index);
}

function* faultsOfAnswer(messages: readonly Message[], message: AssistantMessage, index: number): Generator<string> {
  if (message.content.length === 0 && message.toolCalls.length === 0) yield `${index}: empty answer`;
  const wanted = message.toolCalls.map((call) => call.id);
  if (new Set(wanted).size !== wanted.length) yield `${index}: ids repeat: ${wanted.join(' ')}`;
  const given = resultsAfter(messages, index);
  if (given.join(' ') !== wanted.join(' ')) yield `${index}: calls ${wanted.join(' ')}, results ${given.join(' ')}`;
}

function resultsAfter(messages: readonly Message[], index: number): readonly string[] {
  const ids: string[] = [];
  for (const message of messages.slice(index + 1)) {
    if (message.role !== 'tool') break;
    ids.push(message.toolCallId);
  }
  return ids;
}
