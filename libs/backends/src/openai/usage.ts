import type { JsonObject, Usage } from '#model';
import { numberField, objectField } from '../wire/json-fields.js';
import { servedAs } from '../wire/service-tier.js';

/** The usage of a chunk, wherever the server puts it; undefined when there is none. `prompt_tokens` includes the cached part. */
export function usageIn(chunk: JsonObject, choice: JsonObject | undefined): Usage | undefined {
  const usage = objectField(chunk, 'usage') ?? objectField(choice, 'usage') ?? objectField(objectField(chunk, 'x_groq'), 'usage');
  if (!usage) return undefined;
  const prompt = objectField(usage, 'prompt_tokens_details');
  const cached = firstNumber([prompt, 'cached_tokens'], [usage, 'prompt_cache_hit_tokens'], [usage, 'cached_tokens']) ?? 0;
  const created = numberField(prompt, 'cache_write_tokens') ?? 0;
  const reasoning = numberField(objectField(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const cost = costIn(usage);
  return {
    inputTokens: Math.max(0, (numberField(usage, 'prompt_tokens') ?? 0) - cached - created),
    cachedInputTokens: cached,
    cacheCreationTokens: created,
    outputTokens: numberField(usage, 'completion_tokens') ?? 0,
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cost === undefined ? {} : { costUSD: cost }),
    ...servedAs(chunk),
  };
}

/** With a key of the user's own at the upstream, its price comes on top of the router's. */
function costIn(usage: JsonObject): number | undefined {
  const cost = numberField(usage, 'cost');
  if (cost === undefined || usage.is_byok !== true) return cost;
  return cost + (numberField(objectField(usage, 'cost_details'), 'upstream_inference_cost') ?? 0);
}

function firstNumber(...places: readonly (readonly [JsonObject | undefined, string])[]): number | undefined {
  return places.map(([object, key]) => numberField(object, key)).find((value) => value !== undefined);
}
