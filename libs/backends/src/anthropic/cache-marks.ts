import type { JsonObject } from '#model';

/** A message of the wire; its content is never empty. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}

interface Prompt {
  readonly tools: readonly JsonObject[];
  readonly system: readonly JsonObject[];
  readonly messages: readonly WireMessage[];
}

/**
 * Marks how far a prompt may be cached, in the four places that there may be: the last tool, the end of the system text,
 * and the ends of the last two messages of the user, so that what one request has written the next one reads.
 */
export function withCacheMarks({ tools, system, messages }: Prompt): JsonObject {
  const users = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-2);
  const marked = messages.map(({ role, content }, at): JsonObject => ({
    role,
    content: users.includes(at) ? lastMarked(content) : content,
  }));
  return {
    ...(tools.length > 0 ? { tools: lastMarked(tools) } : {}),
    ...(system.length > 0 ? { system: lastMarked(system) } : {}),
    messages: marked,
  };
}

function lastMarked(list: readonly JsonObject[]): readonly JsonObject[] {
  return list.map((one, at) => (at === list.length - 1 ? { ...one, cache_control: { type: 'ephemeral' } } : one));
}
