import type { JsonObject } from '#model';
import { numberField, textField } from '../../../wire/json-fields.js';
import { firstIn, loneSurrogate, objectsIn, type Rule, type Violation } from '../rules.js';
import { pairingViolation } from './content-pairing.js';
import { objectAt } from './parse-contents.js';
import { partViolation } from './part-rules.js';
import { protoField, protoName } from './proto-field.js';
import { signatureViolation } from './signature-rules.js';

const FIELDS = `cachedContent contents generationConfig labels model safetySettings serviceTier store systemInstruction toolConfig
  tools`.split(/\s+/);
const CONFIG =
  `audioTimestamp candidateCount enableEnhancedCivicAnswers frequencyPenalty imageConfig logprobs maxOutputTokens mediaResolution
  presencePenalty responseFormat responseJsonSchema responseLogprobs responseMimeType responseModalities responseSchema routingConfig seed
  speechConfig stopSequences temperature thinkingConfig topK topP translationConfig`.split(/\s+/);
const NAME = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

/** What Gemini refuses in a request for contents. */
export const geminiRules: readonly Rule[] = [
  {
    wants: 'no lone surrogates',
    find({ body }) {
      const path = loneSurrogate(body, 'brackets');
      return path === undefined ? undefined : { path, message: `Invalid JSON payload received. Invalid UTF-16 surrogate at '${path}'.` };
    },
  },
  { wants: 'known fields only', find: ({ body, kind }) => (kind === 'count' ? undefined : unknown(body, FIELDS, '')) },
  { wants: 'known settings only', find: ({ body }) => unknown(objectAt(body, 'generationConfig') ?? {}, CONFIG, 'generation_config') },
  {
    wants: 'contents',
    find: ({ body, kind }) =>
      objectsIn(body.contents).length > 0 || kind === 'count' ? undefined : at('contents', 'contents is not specified'),
  },
  { wants: 'roles user and model', find: ({ body }) => firstIn(body.contents, roleViolation) },
  { wants: 'parts', find: ({ body }) => firstIn(body.contents, partsViolation) },
  { wants: 'each turn of calls followed by one of as many results', find: ({ body }) => pairingViolation(objectsIn(body.contents)) },
  { wants: 'each turn of calls signed by the model', find: ({ body, model }) => signatureViolation(objectsIn(body.contents), model) },
  { wants: 'functions with legal names of their own', find: ({ body }) => functionsViolation(body) },
  { wants: 'settings in their ranges', find: ({ body }) => rangeViolation(objectAt(body, 'generationConfig') ?? {}) },
  {
    wants: 'a level or a budget of thinking',
    find: ({ body }) => thinkingViolation(objectAt(objectAt(body, 'generationConfig'), 'thinkingConfig')),
  },
];

function at(path: string, why: string): Violation {
  return { path, message: `* GenerateContentRequest.${path}: ${why}\n` };
}

function unknown(object: JsonObject, known: readonly string[], where: string): Violation | undefined {
  const key = Object.keys(object).find((one) => !known.includes(protoName(one)));
  if (key === undefined) return undefined;
  const place = where === '' ? '' : ` at '${where}'`;
  const path = where === '' ? key : `${where}.${key}`;
  return { path, message: `Invalid JSON payload received. Unknown name "${key}"${place}: Cannot find field.` };
}

function roleViolation({ role }: JsonObject, index: number): Violation | undefined {
  if (role === undefined || role === 'user' || role === 'model') return undefined;
  return { path: `contents[${index}].role`, message: `Please use a valid role: user, model. (contents[${index}].role)` };
}

function partsViolation({ parts, role }: JsonObject, index: number): Violation | undefined {
  const path = `contents[${index}].parts`;
  if (objectsIn(parts).length === 0) return at(path, 'contents.parts must not be empty.');
  return firstIn(parts, (part, i) =>
    partViolation(part, { path: `${path}[${i}]`, role: textField({ role: role ?? 'user' }, 'role') ?? '' }),
  );
}

function functionsViolation(body: JsonObject): Violation | undefined {
  const names = new Set<string>();
  return firstIn(body.tools, (tool, t) =>
    firstIn(protoField(tool, 'functionDeclarations'), (fn, f) => functionViolation(fn, `tools[${t}].function_declarations[${f}]`, names)),
  );
}

function functionViolation(fn: JsonObject, path: string, names: Set<string>): Violation | undefined {
  const name = textField(fn, 'name') ?? '';
  if (!NAME.test(name))
    return at(`${path}.name`, `[FieldViolation] Invalid function name. Must start with a letter or an underscore. ${CHARACTERS}`);
  if (names.has(name)) return { path, message: `Duplicate function declaration found: ${name} (${path})` };
  names.add(name);
  const both = protoField(fn, 'parameters') !== undefined && protoField(fn, 'parametersJsonSchema') !== undefined;
  return both ? at(path, 'parameters_json_schema must not be set when parameters is set.') : undefined;
}

const CHARACTERS =
  'Must be alphanumeric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.';

function rangeViolation(config: JsonObject): Violation | undefined {
  const [temperature, topP, most] = ['temperature', 'topP', 'maxOutputTokens'].map((name) =>
    numberField({ it: protoField(config, name) ?? null }, 'it'),
  );
  if (temperature !== undefined && (temperature < 0 || temperature > 2))
    return at('generation_config.temperature', 'temperature must be in the range [0.0, 2.0].');
  if (topP !== undefined && (topP < 0 || topP > 1)) return at('generation_config.top_p', 'top_p must be in the range [0.0, 1.0].');
  return most !== undefined && most < 1 ? at('generation_config.max_output_tokens', 'max_output_tokens must be positive.') : undefined;
}

function thinkingViolation(config: JsonObject | undefined): Violation | undefined {
  const path = 'generation_config.thinking_config';
  const both = protoField(config, 'thinkingBudget') !== undefined && protoField(config, 'thinkingLevel') !== undefined;
  return both ? { path, message: `You can only set only one of thinking budget and thinking level. (${path})` } : undefined;
}
