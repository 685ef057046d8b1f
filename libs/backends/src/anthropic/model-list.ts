import { isJsonObject, type JsonObject, type JsonValue, type ModelInfo } from '#model';
import { listField, numberField, textField } from '../wire/json-fields.js';
import { sortedModels } from '../wire/sorted-models.js';
import { familyOf } from './families.js';
import { toldCapabilities } from './told-capabilities.js';

/** The answer of `/v1/models`, sorted by id. */
export function modelList(answer: JsonValue): readonly ModelInfo[] {
  return sortedModels(isJsonObject(answer) ? listField(answer, 'data').filter(isJsonObject).flatMap(modelIn) : []);
}

function modelIn(row: JsonObject): readonly ModelInfo[] {
  const id = textField(row, 'id');
  if (!id) return [];
  const contextLength = numberField(row, 'max_input_tokens') ?? familyOf(id).contextLength;
  const capabilities = toldCapabilities(row);
  return [
    {
      id,
      ...(contextLength === undefined ? {} : { contextLength }),
      ...(capabilities && { capabilities }),
    },
  ];
}
