import type { JsonObject, JsonValue } from '#model';
import { thinkingTokensOf, type Plan } from '../../plan.js';
import { piecesOf, type Delta } from '../../play.js';
import type { Speech } from '../face.js';
import { EVENT_STREAM, sse } from '../sse.js';
import { idFrom } from './mistral-ids.js';

const ARGUMENT_CHARACTERS = 16;
const DONE = 'data: [DONE]\n\n';

/** An answer as a chat completion. */
export class ChatSpeech implements Speech {
  readonly contentType = EVENT_STREAM;
  readonly garbage = 'data: {"choices":[{"delta":\n\n';

  constructor(
    private readonly plan: Plan,
    private readonly wantsUsage: boolean,
  ) {}

  open(): readonly string[] {
    return [this.chunk({ role: 'assistant', content: '' })];
  }

  delta({ type, text }: Delta): readonly string[] {
    return [this.chunk(type === 'text' ? { content: text } : { reasoning_content: text })];
  }

  close(): readonly string[] {
    const calls = callDeltas(this.plan).map((delta) => this.chunk(delta));
    return [...calls, this.chunk({}, this.plan.stop), ...(this.wantsUsage ? [this.usage()] : []), DONE];
  }

  whole(): JsonObject {
    const { calls, text, think, stop } = this.plan;
    const given = calls.map(({ id, name, raw }) => ({
      id: idFrom(this.plan.model, id),
      type: 'function',
      function: { name, arguments: raw },
    }));
    const message = {
      role: 'assistant',
      content: text === '' && calls.length > 0 ? null : text,
      ...(think === '' ? {} : { reasoning_content: think }),
      ...(calls.length > 0 ? { tool_calls: given } : {}),
    };
    return { ...this.head('chat.completion'), choices: [{ index: 0, message, finish_reason: stop }], usage: wireUsage(this.plan) };
  }

  failure(error: JsonObject): string {
    return sse({
      ...this.head('chat.completion.chunk'),
      ...error,
      choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }],
    });
  }

  private usage(): string {
    return sse({ ...this.head('chat.completion.chunk'), choices: [], usage: wireUsage(this.plan) });
  }

  private chunk(delta: JsonObject, finish: string | null = null): string {
    return sse({ ...this.head('chat.completion.chunk'), choices: [{ index: 0, delta, finish_reason: finish }] });
  }

  private head(object: string): JsonObject {
    const { id, model } = this.plan;
    return { id, object, created: Math.floor(Date.now() / 1000), model };
  }
}

/** The calls as deltas: id and name first, then the arguments in pieces. */
function callDeltas({ calls, model }: Plan): readonly JsonObject[] {
  return calls.flatMap(({ id, name, raw }, index) => [
    { tool_calls: [{ index, id: idFrom(model, id), type: 'function', function: { name, arguments: '' } }] },
    ...[...piecesOf(raw, ARGUMENT_CHARACTERS)].map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
}

function wireUsage(plan: Plan): JsonValue {
  const { inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens } = plan.usage;
  const prompt = inputTokens + cachedInputTokens + cacheCreationTokens;
  return {
    prompt_tokens: prompt,
    completion_tokens: outputTokens,
    total_tokens: prompt + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheCreationTokens },
    ...(plan.think === '' ? {} : { completion_tokens_details: { reasoning_tokens: thinkingTokensOf(plan) } }),
  };
}
