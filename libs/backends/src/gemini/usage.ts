import type { JsonObject, Usage } from '#model';
import { numberField } from '../wire/json-fields.js';

/** Of `usageMetadata`, whose prompt includes what was read from the cache, and whose candidates leave out the thoughts. */
export function usageOf(counts: JsonObject): Usage | undefined {
  if (Object.keys(counts).length === 0) return undefined;
  const count = (key: string): number => numberField(counts, key) ?? 0;
  const cachedInputTokens = count('cachedContentTokenCount');
  const thoughts = numberField(counts, 'thoughtsTokenCount');
  return {
    inputTokens: Math.max(0, count('promptTokenCount') - cachedInputTokens) + count('toolUsePromptTokenCount'),
    cachedInputTokens,
    cacheCreationTokens: 0,
    outputTokens: count('candidatesTokenCount') + (thoughts ?? 0),
    ...(thoughts === undefined ? {} : { reasoningTokens: thoughts }),
  };
}
