import type { JsonObject, JsonValue } from '#model';
import { thinkingTokensOf, type Plan } from '../../plan.js';

/** What of a request its response repeats, and what that says of a field that was not given. */
const ECHOED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
};

/** What all of an answer's responses have in common: they differ in what has become of it. */
export interface ResponseHead {
  readonly id: string;
  /** In seconds. */
  readonly createdAt: number;
  readonly plan: Plan;
  /** Of the request. */
  readonly body: JsonObject;
}

/** True when the answer ends before its time. */
export function isCut({ stop }: Plan): boolean {
  return stop === 'length' || stop === 'content_filter';
}

export function responseObject({ id, createdAt, plan, body }: ResponseHead, status: string, output: readonly JsonObject[]): JsonObject {
  const isOver = status !== 'in_progress';
  const reason = plan.stop === 'length' ? 'max_output_tokens' : 'content_filter';
  return {
    id,
    object: 'response',
    created_at: createdAt,
    status,
    error: null,
    incomplete_details: status === 'incomplete' ? { reason } : null,
    model: plan.model,
    output,
    previous_response_id: null,
    truncation: 'disabled',
    usage: isOver && status !== 'failed' ? wireUsage(plan) : null,
    ...Object.fromEntries(Object.entries(ECHOED).map(([field, otherwise]) => [field, body[field] ?? otherwise])),
  };
}

function wireUsage(plan: Plan): JsonValue {
  const { inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens } = plan.usage;
  const input = inputTokens + cachedInputTokens + cacheCreationTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheCreationTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: thinkingTokensOf(plan) },
    total_tokens: input + outputTokens,
  };
}
