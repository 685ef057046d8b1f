import type { JsonObject, ModelRequest } from '#model';

const MOST_CHARACTERS = 64;

/** What a conversation has cached is found again by requests that name the same key. */
export function promptCacheKey({ conversation }: ModelRequest): JsonObject {
  return conversation === undefined ? {} : { prompt_cache_key: conversation.slice(0, MOST_CHARACTERS) };
}
