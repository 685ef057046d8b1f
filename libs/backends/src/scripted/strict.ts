import type { Message, ModelRequest, ToolCall, ToolMessage, ToolSchema } from '#model';
import { isWellFormed } from '../wire/well-formed.js';
import { ConversationFold } from './conversation-fold.js';

const ID = /^[A-Za-z0-9_-]{1,64}$/;

/** Why a real provider would refuse the request; undefined when it would not. */
export function violationIn(request: ModelRequest): string | undefined {
  const { messages, tools } = request;
  return (
    unicodeViolation(request) ??
    toolsViolation(tools) ??
    beginningViolation(messages) ??
    conversationViolation(messages) ??
    endViolation(messages)
  );
}

function unicodeViolation({ system, messages, tools }: ModelRequest): string | undefined {
  const are = { system: isWellFormed(system), messages: wellFormedSoFar.after(messages), tools: isWellFormedDeep(tools) };
  const where = Object.entries(are).find(([, isRight]) => !isRight);
  return where && `${where[0]}: a text holds a lone surrogate`;
}

const wellFormedSoFar = new ConversationFold<boolean>(
  () => true,
  (isRight, message) => isRight && isWellFormedDeep(message),
);

function isWellFormedDeep(value: unknown): boolean {
  if (typeof value === 'string') return isWellFormed(value);
  return typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWellFormedDeep);
}

function toolsViolation(tools: readonly ToolSchema[]): string | undefined {
  const names = new Set<string>();
  for (const { name, parameters } of tools) {
    if (!ID.test(name)) return `tools: illegal name ${JSON.stringify(name)}`;
    if (names.has(name)) return `tools: ${name} is there twice`;
    if (parameters.type !== 'object') return `tools: parameters of ${name} are not a schema of type object`;
    names.add(name);
  }
  return undefined;
}

function beginningViolation(messages: readonly Message[]): string | undefined {
  if (messages.length === 0) return 'messages: there are none';
  return messages[0]?.role === 'user' ? undefined : 'messages 1: the first message must be of role user';
}

function endViolation(messages: readonly Message[]): string | undefined {
  return messages.at(-1)?.role === 'assistant' ? `messages ${messages.length}: the last message must not be of role assistant` : undefined;
}

interface Checked {
  /** The first that was found. */
  why: string | undefined;
  /** Calls of the last message that have no result yet. */
  open: readonly ToolCall[];
  readonly ids: Set<string>;
}

const checkedSoFar = new ConversationFold<Checked>(
  () => ({ why: undefined, open: [], ids: new Set() }),
  (checked, message, index) => {
    const why = violationOf(message, checked);
    if (why !== undefined) checked.why ??= `messages ${index + 1}: ${why}`;
    checked.open = message.role === 'tool' ? checked.open.filter(({ id }) => id !== message.toolCallId) : callsOf(message);
    return checked;
  },
);

function conversationViolation(messages: readonly Message[]): string | undefined {
  const { why, open } = checkedSoFar.after(messages);
  return why ?? unanswered(open);
}

function violationOf(message: Message, { open, ids }: Checked): string | undefined {
  if (message.role === 'tool') return resultViolation(message, open);
  return unanswered(open) ?? textViolation(message) ?? idsViolation(message, ids);
}

function callsOf(message: Message): readonly ToolCall[] {
  return message.role === 'assistant' ? message.toolCalls : [];
}

function unanswered(open: readonly ToolCall[]): string | undefined {
  return open.length > 0 ? `tool call ${open[0]?.id} has no result directly after it` : undefined;
}

function resultViolation({ toolCallId, toolName }: ToolMessage, open: readonly ToolCall[]): string | undefined {
  const call = open.find(({ id }) => id === toolCallId);
  if (!call) return `tool result ${toolCallId} answers no open call of the message before it`;
  return call.name === toolName ? undefined : `tool result ${toolCallId} names ${toolName}, its call ${call.name}`;
}

function textViolation({ role, content, ...message }: Exclude<Message, ToolMessage>): string | undefined {
  if (content.some((part) => part.type === 'text' && part.text === '')) return 'a text block is empty';
  const isEmpty = content.length === 0 && !('toolCalls' in message && message.toolCalls.length > 0);
  return isEmpty ? `a message of role ${role} is empty` : undefined;
}

function idsViolation(message: Message, ids: Set<string>): string | undefined {
  for (const { id, name } of callsOf(message)) {
    if (!ID.test(id)) return `illegal tool call id ${JSON.stringify(id)}`;
    if (!ID.test(name)) return `illegal tool name ${JSON.stringify(name)}`;
    if (ids.has(id)) return `tool call id ${id} is used twice`;
    ids.add(id);
  }
  return undefined;
}
