import { isJsonObject, type GenerationParams, type JsonObject, type JsonValue, type ModelCapabilities, type ModelRequest } from '#model';
import { objectField } from '../wire/json-fields.js';
import { wellFormedObject } from '../wire/well-formed.js';
import { chatMessages } from './messages.js';
import { thinkOf } from './think.js';

export interface BodyOptions {
  readonly backend: string;
  /** The window to run the model with, in tokens. */
  readonly numCtx: number;
  readonly capabilities: ModelCapabilities | undefined;
}

const OPTIONS: readonly (readonly [keyof GenerationParams, string])[] = [
  ['maxCompletionTokens', 'num_predict'],
  ['maxTokens', 'num_predict'],
  ['temperature', 'temperature'],
  ['topK', 'top_k'],
  ['topP', 'top_p'],
  ['minP', 'min_p'],
  ['repetitionPenalty', 'repeat_penalty'],
  ['frequencyPenalty', 'frequency_penalty'],
  ['presencePenalty', 'presence_penalty'],
  ['stop', 'stop'],
];

/**
 * The body of a streaming chat; holds only well-formed Unicode. The window is always named, or the server would take one of
 * its own, and what does not fit shall be refused: else its beginning is left out and nobody is told.
 */
export function chatBody(request: ModelRequest, { backend, numCtx, capabilities }: BodyOptions): JsonObject {
  const { model, tools, params } = request;
  const think = thinkOf(model, params, capabilities);
  const format = formatOf(params.responseFormat);
  return wellFormedObject({
    model,
    messages: chatMessages(request, backend),
    ...(tools.length > 0 ? { tools: tools.map((tool) => ({ type: 'function', function: { ...tool } })) } : {}),
    ...(think === undefined ? {} : { think }),
    ...(format === undefined ? {} : { format }),
    options: { num_ctx: numCtx, ...options(params) },
    truncate: false,
    shift: false,
    stream: true,
  });
}

function options(params: GenerationParams): JsonObject {
  const given = OPTIONS.flatMap(([ours, theirs]): (readonly [string, JsonValue])[] => {
    const value = params[ours];
    return value === undefined ? [] : [[theirs, value]];
  });
  return Object.fromEntries(given);
}

/** A schema, which OpenAI's form wraps, or `json`. */
function formatOf(format: GenerationParams['responseFormat']): JsonValue | undefined {
  if (!isJsonObject(format)) return undefined;
  if (format.type === 'json_object') return 'json';
  return objectField(format, 'schema') ?? objectField(objectField(format, 'json_schema'), 'schema');
}
