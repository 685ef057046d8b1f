import { isJsonObject, type GenerationParams, type JsonObject, type ModelFacts, type ModelRequest, type ToolSchema } from '#model';
import { objectField } from '../wire/json-fields.js';
import { wellFormedObject } from '../wire/well-formed.js';
import { withCacheMarks } from './cache-marks.js';
import { familyOf, type Family } from './families.js';
import { wireMessages } from './messages.js';
import { possibleIn } from './possible-thinking.js';
import { thinkingOf, type Thinking } from './thinking.js';

/** The body of a streaming message. Holds only parameters that were given and that the model takes, and only well-formed Unicode. */
export function messagesBody(request: ModelRequest, provider: string, facts: ModelFacts = {}): JsonObject {
  const { model, system, tools, params } = request;
  const family = knownFamily(model, facts);
  const messages = wireMessages(request, provider);
  const thinking = possibleIn(messages, thinkingOf(params, family));
  const marked = withCacheMarks({
    tools: tools.map(wireTool),
    system: system.trim() === '' ? [] : [{ type: 'text', text: system }],
    messages,
  });
  const settings = { ...thinkingFields(thinking, params), ...sampling(params, family, thinking), ...stopSequences(params) };
  return wellFormedObject({ model, max_tokens: thinking.maxTokens, ...marked, ...settings, stream: true });
}

/** What is known of the very model wins. */
function knownFamily(model: string, { capabilities: { maxOutputTokens, temperature } = {} }: ModelFacts): Family {
  const family = familyOf(model);
  const mostTokens = maxOutputTokens ?? family.mostTokens;
  return {
    ...family,
    mostTokens,
    answerTokens: Math.min(family.answerTokens, mostTokens),
    takesSampling: temperature ?? family.takesSampling,
  };
}

function wireTool({ name, description, parameters }: ToolSchema): JsonObject {
  return { name, description, input_schema: { type: 'object', ...parameters } };
}

function thinkingFields({ thinking, effort }: Thinking, { responseFormat }: GenerationParams): JsonObject {
  const format = outputFormat(responseFormat);
  const output = { ...(effort === undefined ? {} : { effort }), ...(format && { format }) };
  return { ...(thinking && { thinking }), ...(Object.keys(output).length > 0 ? { output_config: output } : {}) };
}

/** A schema, which OpenAI's form wraps once more. */
function outputFormat(format: GenerationParams['responseFormat']): JsonObject | undefined {
  if (!isJsonObject(format) || format.type !== 'json_schema') return undefined;
  const schema = objectField(format, 'schema') ?? objectField(objectField(format, 'json_schema'), 'schema');
  return schema && { type: 'json_schema', schema };
}

/** A model that thinks chooses for itself. */
function sampling({ temperature, topP, topK }: GenerationParams, { takesSampling }: Family, { thinking }: Thinking): JsonObject {
  if (!takesSampling || (thinking !== undefined && thinking.type !== 'disabled')) return {};
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(topK === undefined ? {} : { top_k: topK }),
  };
}

/** One of white space only is refused. */
function stopSequences({ stop = [] }: GenerationParams): JsonObject {
  const sequences = stop.filter((one) => one.trim() !== '');
  return sequences.length > 0 ? { stop_sequences: sequences } : {};
}
