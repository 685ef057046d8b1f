import type { GenerationParams, JsonObject, ModelFacts, ModelRequest, ToolSchema } from '#model';
import { wellFormedObject } from '../../wire/well-formed.js';
import { effortOf, takenBy } from '../effort.js';
import { familyOf, type Family } from '../families.js';
import { promptCacheKey } from '../prompt-cache-key.js';
import { responsesFormat } from '../response-format.js';
import type { Server } from '../server.js';
import { inputItems } from './input.js';

const LEAST_TOKENS = 16;

/** The body of a streaming response, of which the server keeps nothing. Holds only parameters that were given and that the model takes, and only well-formed Unicode. */
export function responsesBody(request: ModelRequest, { name, quirks }: Server, facts: ModelFacts = {}): JsonObject {
  const { model, system, tools, params } = request;
  const family = familyOf(model, facts);
  return wellFormedObject({
    model,
    ...(system === '' ? {} : { instructions: system }),
    input: inputItems(request, name),
    ...(tools.length > 0 ? { tools: tools.map(functionTool) } : {}),
    ...settings(params, family),
    ...(family.reasons === false ? {} : { include: ['reasoning.encrypted_content'] }),
    store: false,
    ...(quirks.promptCacheKey ? promptCacheKey(request) : {}),
    stream: true,
    ...quirks.body,
  });
}

/** Strict is what is meant when nothing is said, and refuses most schemas. */
function functionTool({ name, description, parameters }: ToolSchema): JsonObject {
  return { type: 'function', name, description, parameters: { type: 'object', ...parameters }, strict: false };
}

function settings(params: GenerationParams, family: Family): JsonObject {
  const effort = effortOf(params, family);
  const { maxTokens, maxCompletionTokens, temperature, topP } = takenBy(family, params, effort);
  const most = maxTokens ?? maxCompletionTokens;
  return {
    ...(most === undefined ? {} : { max_output_tokens: Math.max(LEAST_TOKENS, most) }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...under('reasoning', reasoning(params, family, effort)),
    ...under('text', text(params)),
  };
}

/** Nothing is said when nothing is wished: then the model's own default holds. */
function reasoning({ includeReasoning }: GenerationParams, family: Family, effort: string | undefined): JsonObject {
  if (family.reasons === false || effort === 'none') return effort === 'none' ? { effort } : {};
  const isShown = includeReasoning ?? effort !== undefined;
  return { ...(effort === undefined ? {} : { effort }), ...(isShown ? { summary: 'auto' } : {}) };
}

function text({ verbosity, responseFormat }: GenerationParams): JsonObject {
  return {
    ...(verbosity === undefined ? {} : { verbosity }),
    ...(responseFormat === undefined || responseFormat === null ? {} : { format: responsesFormat(responseFormat) }),
  };
}

function under(key: string, fields: JsonObject): JsonObject {
  return Object.keys(fields).length > 0 ? { [key]: fields } : {};
}
