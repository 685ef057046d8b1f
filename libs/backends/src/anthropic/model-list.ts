import { isJsonObject, type JsonObject, type JsonValue, type ModelInfo } from '#model';
import { listField, numberField, textField } from '../wire/json-fields.js';
import { distinctModels } from '../wire/distinct-models.js';
import { familyOf } from './families.js';
import { toldCapabilities } from './told-capabilities.js';

/** The answer of `/v1/models`. */
export function modelList(answer: JsonValue): readonly ModelInfo[] {
  return distinctModels(isJsonObject(answer) ? listField(answer, 'data').filter(isJsonObject).flatMap(modelIn) : []);
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
