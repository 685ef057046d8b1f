import type { JsonObject, JsonValue, Usage } from '#model';
import type { Plan } from '../plan.js';
import { piecesOf, type Delta } from '../play.js';

const ARGUMENT_CHARACTERS = 16;

/** One server-sent event of a chat completion. */
export function chunk(plan: Plan, delta: JsonObject, finish: string | null = null): string {
  return event({ ...head(plan, 'chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
}

export function deltaOf(played: Delta): JsonObject {
  return played.type === 'text' ? { content: played.text } : { reasoning_content: played.text };
}

/** The calls as deltas: id and name first, then the arguments in pieces. */
export function callDeltas({ calls }: Plan): readonly JsonObject[] {
  return calls.flatMap(({ id, name, raw }, index) => [
    { tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] },
    ...[...piecesOf(raw, ARGUMENT_CHARACTERS)].map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
}

export function usageChunk(plan: Plan): string {
  return event({ ...head(plan, 'chat.completion.chunk'), choices: [], usage: wireUsage(plan.usage) });
}

export const DONE = 'data: [DONE]\n\n';

/** The same reply in one piece. */
export function completion(plan: Plan): JsonObject {
  const calls = plan.calls.map(({ id, name, raw }) => ({ id, type: 'function', function: { name, arguments: raw } }));
  const message = {
    role: 'assistant',
    content: plan.text === '' && calls.length > 0 ? null : plan.text,
    ...(plan.think === '' ? {} : { reasoning_content: plan.think }),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  return { ...head(plan, 'chat.completion'), choices: [{ index: 0, message, finish_reason: plan.stop }], usage: wireUsage(plan.usage) };
}

function event(value: JsonValue): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function head({ id, model }: Plan, object: string): JsonObject {
  return { id, object, created: Math.floor(Date.now() / 1000), model };
}

function wireUsage({ inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens }: Usage): JsonObject {
  const prompt = inputTokens + cachedInputTokens + cacheCreationTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheCreationTokens },
  };
}
