import type { JsonObject, Usage } from '#model';
import { numberField } from '../wire/json-fields.js';

/** By what was counted. */
export function countedUsage(counts: JsonObject): Usage {
  return {
    inputTokens: numberField(counts, 'uncachedInputTokens') ?? 0,
    cachedInputTokens: numberField(counts, 'cacheReadInputTokens') ?? 0,
    cacheCreationTokens: numberField(counts, 'cacheWriteInputTokens') ?? 0,
    outputTokens: numberField(counts, 'outputTokens') ?? 0,
  };
}

/** By how full the window is, which is all that some models tell: what was read and written together. */
export function estimatedUsage(percentage: number, contextLength: number): Usage {
  const inputTokens = Math.round((percentage / 100) * contextLength);
  return { inputTokens, cachedInputTokens: 0, cacheCreationTokens: 0, outputTokens: 0 };
}
