import type { GenerationParams, JsonObject, JsonValue, ModelRequest, ToolSchema } from '#model';
import { wellFormed } from '../wire/well-formed.js';
import { chatMessages } from './messages.js';

/** `thinkingBudget` has no counterpart here. */
const PARAMETERS: readonly (readonly [keyof GenerationParams, string])[] = [
  ['maxTokens', 'max_tokens'],
  ['maxCompletionTokens', 'max_completion_tokens'],
  ['temperature', 'temperature'],
  ['topP', 'top_p'],
  ['topK', 'top_k'],
  ['minP', 'min_p'],
  ['topA', 'top_a'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['repetitionPenalty', 'repetition_penalty'],
  ['reasoningEffort', 'reasoning_effort'],
  ['includeReasoning', 'include_reasoning'],
  ['responseFormat', 'response_format'],
  ['stop', 'stop'],
  ['verbosity', 'verbosity'],
];

/** The body of a streaming chat completion. Holds only parameters that were given and only well-formed Unicode. */
export function chatBody(request: ModelRequest): JsonObject {
  return {
    model: request.model,
    messages: chatMessages(request),
    ...(request.tools.length > 0 ? { tools: request.tools.map(chatTool) } : {}),
    ...parameters(request.params),
    stream: true,
    stream_options: { include_usage: true },
  };
}

function chatTool({ name, description, parameters: schema }: ToolSchema): JsonObject {
  return { type: 'function', function: { name, description: wellFormed(description), parameters: schema } };
}

function parameters(params: GenerationParams): JsonObject {
  const given = PARAMETERS.flatMap(([ours, theirs]): (readonly [string, JsonValue])[] => {
    const value = params[ours];
    return value === undefined ? [] : [[theirs, value]];
  });
  return Object.fromEntries(given);
}
