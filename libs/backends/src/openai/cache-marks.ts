import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listOf } from '../wire/json-fields.js';

const MARK = { cache_control: { type: 'ephemeral' } };
const OF_ANTHROPIC = /claude|anthropic\//;

export function takesCacheMarks(model: string): boolean {
  return OF_ANTHROPIC.test(model);
}

/**
 * Marks how far a prompt may be cached, in the four places that there may be: the last tool, the system text, and the ends of
 * the last two turns of the user, so that what one request has written the next one reads. Results of tools are the user's.
 */
export function withCacheMarks(
  tools: readonly JsonObject[],
  messages: readonly JsonObject[],
): { tools: readonly JsonObject[]; messages: readonly JsonObject[] } {
  const ends = messages.flatMap((message, at) => (isUsers(message) && !isUsers(messages[at + 1]) ? [at] : [])).slice(-2);
  const isSystem = (at: number): boolean => at === 0 && messages[0]?.role !== 'user';
  return {
    tools: tools.map((tool, at) => (at === tools.length - 1 ? { ...tool, ...MARK } : tool)),
    messages: messages.map((message, at) => (isSystem(at) || ends.includes(at) ? marked(message) : message)),
  };
}

function isUsers(message: JsonObject | undefined): boolean {
  return message?.role === 'user' || message?.role === 'tool';
}

function marked(message: JsonObject): JsonObject {
  const parts = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : listOf(message.content);
  return { ...message, content: parts.map((part, at) => (at === parts.length - 1 ? markedPart(part) : part)) };
}

function markedPart(part: JsonValue): JsonValue {
  return isJsonObject(part) ? { ...part, ...MARK } : part;
}
