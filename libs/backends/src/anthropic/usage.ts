import type { JsonObject, Usage } from '#model';
import { numberField, objectField } from '../wire/json-fields.js';
import { servedAs } from '../wire/service-tier.js';

/** The counts of an answer after one more report: a number replaces the one before, null keeps it. */
export function mergedCounts(before: JsonObject, report: JsonObject): JsonObject {
  return { ...before, ...Object.fromEntries(Object.entries(report).filter(([, value]) => value !== null)) };
}

/** Undefined when nothing was reported. `input_tokens` leaves out what concerns the cache. */
export function usageOf(counts: JsonObject): Usage | undefined {
  if (Object.keys(counts).length === 0) return undefined;
  const creation = objectField(counts, 'cache_creation');
  const hour = numberField(creation, 'ephemeral_1h_input_tokens');
  const thinking = numberField(objectField(counts, 'output_tokens_details'), 'thinking_tokens');
  const created = (hour ?? 0) + (numberField(creation, 'ephemeral_5m_input_tokens') ?? 0);
  return {
    inputTokens: numberField(counts, 'input_tokens') ?? 0,
    cachedInputTokens: numberField(counts, 'cache_read_input_tokens') ?? 0,
    cacheCreationTokens: numberField(counts, 'cache_creation_input_tokens') ?? created,
    ...(hour === undefined ? {} : { cacheCreation1hTokens: hour }),
    outputTokens: numberField(counts, 'output_tokens') ?? 0,
    ...(thinking === undefined ? {} : { reasoningTokens: thinking }),
    ...servedAs(counts),
  };
}
