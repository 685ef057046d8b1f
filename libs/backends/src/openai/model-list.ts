import { isJsonObject, type JsonObject, type JsonValue, type ModelInfo } from '#model';
import { listField, listOf, numberField, objectField, textField } from '../wire/json-fields.js';
import { distinctModels } from '../wire/distinct-models.js';
import { toldCapabilities } from './told-capabilities.js';

/** The answer of `/models` in any of its shapes. */
export function modelList(answer: JsonValue): readonly ModelInfo[] {
  const rows = isJsonObject(answer) ? [...listField(answer, 'data'), ...listField(answer, 'models')] : listOf(answer);
  return distinctModels(rows.filter(isJsonObject).flatMap(modelIn));
}

function modelIn(row: JsonObject): readonly ModelInfo[] {
  const id = textField(row, 'id') ?? textField(row, 'name');
  const contextLength = contextLengthIn(row);
  const capabilities = toldCapabilities(row);
  return id ? [{ id, ...(contextLength === undefined ? {} : { contextLength }), ...(capabilities && { capabilities }) }] : [];
}

/** What is served counts, not what the model was trained for. */
function contextLengthIn(row: JsonObject): number | undefined {
  const places: readonly (readonly [JsonObject | undefined, string])[] = [
    [objectField(row, 'top_provider'), 'context_length'],
    [objectField(row, 'meta'), 'n_ctx'],
    [row, 'loaded_context_length'],
    [row, 'context_length'],
    [row, 'context_window'],
    [row, 'max_model_len'],
    [row, 'max_context_length'],
  ];
  return places.map(([object, key]) => numberField(object, key)).find((value) => value !== undefined && value > 0);
}
