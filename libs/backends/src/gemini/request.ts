import { isJsonObject, type GenerationParams, type JsonObject, type JsonValue, type ModelFacts, type ModelRequest } from '#model';
import { objectField } from '../wire/json-fields.js';
import { wellFormedObject } from '../wire/well-formed.js';
import { contentsOf } from './contents.js';
import { familyOf, type Family } from './families.js';
import { thinkingConfig } from './thinking.js';

const SAMPLING: readonly (keyof GenerationParams)[] = ['temperature', 'topP', 'topK', 'frequencyPenalty', 'presencePenalty'];
const MOST_STOPS = 5;

/** The body of a request for contents. Holds only parameters that were given and that the model takes, and only well-formed Unicode. */
export function generateBody(request: ModelRequest, provider: string, facts: ModelFacts): JsonObject {
  const { system, tools, params } = request;
  const family = knownFamily(request.model, facts);
  const settings = generationConfig(params, family, facts);
  return wellFormedObject({
    ...(system.trim() === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: contentsOf(request, provider, family),
    ...(tools.length > 0 ? toolFields(request) : {}),
    ...(Object.keys(settings).length > 0 ? { generationConfig: settings } : {}),
  });
}

/** What is known of the very model wins. */
function knownFamily(model: string, { capabilities: { temperature } = {} }: ModelFacts): Family {
  const family = familyOf(model);
  return { ...family, takesSampling: temperature ?? family.takesSampling };
}

function toolFields({ tools }: ModelRequest): JsonObject {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: { type: 'object', ...parameters },
  }));
  return { tools: [{ functionDeclarations }], toolConfig: { functionCallingConfig: { mode: 'AUTO' } } };
}

function generationConfig(params: GenerationParams, family: Family, facts: ModelFacts): JsonObject {
  const maxOutputTokens = params.maxTokens ?? params.maxCompletionTokens;
  const sampling = family.takesSampling ? SAMPLING.filter((key) => params[key] !== undefined) : [];
  const stopSequences = (params.stop ?? []).filter((one) => one !== '').slice(0, MOST_STOPS);
  const thinking = thinkingConfig(params, family, facts);
  return {
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...Object.fromEntries(sampling.map((key) => [key, params[key] ?? null])),
    ...(stopSequences.length > 0 ? { stopSequences } : {}),
    ...answerFormat(params.responseFormat),
    ...(thinking && { thinkingConfig: thinking }),
  };
}

/** JSON, and a schema, which OpenAI's form wraps once more. */
function answerFormat(format: JsonValue | undefined): JsonObject {
  const type = isJsonObject(format) ? format.type : format;
  if (type !== 'json_schema' && type !== 'json_object') return {};
  const given = isJsonObject(format) ? format : {};
  const schema = objectField(given, 'schema') ?? objectField(objectField(given, 'json_schema'), 'schema');
  return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) };
}
