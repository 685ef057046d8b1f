import type { JsonObject, Usage } from '#model';
import { numberField, objectField } from '../../wire/json-fields.js';
import { servedAs } from '../../wire/service-tier.js';

/** The usage of a response; undefined when it tells none. `input_tokens` includes what concerns the cache. */
export function usageIn(response: JsonObject): Usage | undefined {
  const usage = objectField(response, 'usage');
  if (!usage) return undefined;
  const input = objectField(usage, 'input_tokens_details');
  const cached = numberField(input, 'cached_tokens') ?? 0;
  const created = numberField(input, 'cache_write_tokens') ?? 0;
  const reasoning = numberField(objectField(usage, 'output_tokens_details'), 'reasoning_tokens');
  return {
    inputTokens: Math.max(0, (numberField(usage, 'input_tokens') ?? 0) - cached - created),
    cachedInputTokens: cached,
    cacheCreationTokens: created,
    outputTokens: numberField(usage, 'output_tokens') ?? 0,
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...servedAs(response),
  };
}
