import type { GenerationParams, JsonObject, JsonValue, ModelFacts, ModelRequest, ToolSchema } from '#model';
import { wellFormed } from '../wire/well-formed.js';
import { takesCacheMarks, withCacheMarks } from './cache-marks.js';
import { effortOf, takenBy } from './effort.js';
import { familyOf, type Family } from './families.js';
import { chatMessages } from './messages.js';
import { promptCacheKey } from './prompt-cache-key.js';
import type { Quirks } from './quirks.js';
import { chatFormat } from './response-format.js';
import type { Server } from './server.js';
import { thinkingFields } from './thinking.js';

/** What parameters are usually called. Those of thinking have fields of their own. */
const PARAMETERS: readonly (readonly [keyof GenerationParams, string | null])[] = [
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
  ['includeReasoning', 'include_reasoning'],
  ['responseFormat', 'response_format'],
  ['stop', 'stop'],
  ['verbosity', 'verbosity'],
  ['reasoningEffort', null],
  ['thinkingBudget', null],
];

/** The body of a streaming chat completion. Holds only parameters that were given and that server and model take, and only well-formed Unicode. */
export function chatBody(request: ModelRequest, server: Server, facts: ModelFacts = {}): JsonObject {
  const { model, params } = request;
  const { quirks } = server;
  const family = familyOf(model, facts);
  return {
    model,
    ...prompt(request, server, family),
    ...settings(params, family, quirks),
    ...(quirks.promptCacheKey ? promptCacheKey(request) : {}),
    stream: true,
    ...(quirks.streamUsage ? { stream_options: { include_usage: true } } : {}),
    ...quirks.body,
  };
}

function prompt(request: ModelRequest, server: Server, { reasons }: Family): JsonObject {
  const messages = chatMessages(request, server, reasons === true ? server.quirks.systemRole : 'system');
  const tools = request.tools.map(chatTool);
  const whole = server.quirks.cacheMarks && takesCacheMarks(request.model) ? withCacheMarks(tools, messages) : { tools, messages };
  return { messages: whole.messages, ...(tools.length > 0 ? { tools: whole.tools } : {}) };
}

function chatTool({ name, description, parameters: schema }: ToolSchema): JsonObject {
  return { type: 'function', function: { name, description: wellFormed(description), parameters: { type: 'object', ...schema } } };
}

function settings(params: GenerationParams, family: Family, quirks: Quirks): JsonObject {
  const effort = effortOf(params, family);
  return {
    ...parameters(withOneLimit(takenBy(family, params, effort)), quirks),
    ...thinkingFields(quirks.thinking, params, effort),
  };
}

/** Two limits of one answer are refused. */
function withOneLimit(params: GenerationParams): GenerationParams {
  const { maxCompletionTokens: _other, ...rest } = params;
  return params.maxTokens === undefined ? params : rest;
}

function parameters(params: GenerationParams, { parameters: names }: Quirks): JsonObject {
  const given = PARAMETERS.flatMap(([ours, usual]): (readonly [string, JsonValue])[] => {
    const name = names[ours] === undefined ? usual : names[ours];
    const value = valueOf(ours, params);
    return value === undefined || name === null ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

function valueOf(key: keyof GenerationParams, params: GenerationParams): JsonValue | undefined {
  const value = params[key];
  return key === 'responseFormat' && value !== undefined && value !== null ? chatFormat(value) : value;
}
