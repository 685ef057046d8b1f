import type { JsonObject, Usage } from '#model';
import { numberField } from '../wire/json-fields.js';

/** Undefined when nothing was counted. `prompt_eval_count` counts what was found in the cache too, where that is told. */
export function usageOf(line: JsonObject): Usage | undefined {
  const [prompt, output] = [numberField(line, 'prompt_eval_count'), numberField(line, 'eval_count')];
  if (prompt === undefined && output === undefined) return undefined;
  const cached = Math.min(numberField(line, 'prompt_eval_cached_count') ?? 0, prompt ?? 0);
  return { inputTokens: (prompt ?? 0) - cached, cachedInputTokens: cached, cacheCreationTokens: 0, outputTokens: output ?? 0 };
}
