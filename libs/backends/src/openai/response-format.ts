import { isJsonObject, type GenerationParams, type JsonObject } from '#model';
import { objectField } from '../wire/json-fields.js';

type Format = NonNullable<GenerationParams['responseFormat']>;

/** As chat completions have it: a schema is wrapped in `json_schema`, with a name. */
export function chatFormat(format: Format): JsonObject {
  const flat = responsesFormat(format);
  if (flat.type !== 'json_schema') return flat;
  const { type, ...schema } = flat;
  return { type, json_schema: schema };
}

/** As responses have it: a schema stands beside its type. */
export function responsesFormat(format: Format): JsonObject {
  if (!isJsonObject(format)) return { type: format };
  if (format.type !== 'json_schema') return format;
  const { json_schema: _wrapped, ...flat } = format;
  return { name: 'answer', ...flat, ...objectField(format, 'json_schema') };
}
