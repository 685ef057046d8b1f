import { isJsonObject, type JsonObject, type JsonValue, type ModelCapabilities, type ModelInfo } from '#model';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';
import { distinctModels } from '../wire/distinct-models.js';

/** The answer of `/models`: those for chats that the account may use. */
export function modelList(answer: JsonValue): readonly ModelInfo[] {
  const rows = isJsonObject(answer) ? listField(answer, 'data').filter(isJsonObject) : [];
  return distinctModels(rows.filter(isUsable).flatMap(modelIn));
}

function isUsable(row: JsonObject): boolean {
  const type = textField(objectField(row, 'capabilities'), 'type') ?? 'chat';
  const state = textField(objectField(row, 'policy'), 'state') ?? 'enabled';
  return type === 'chat' && state === 'enabled' && row.model_picker_enabled !== false;
}

/** A prompt may be shorter than the window: the smaller of the two is refused. */
function modelIn(row: JsonObject): readonly ModelInfo[] {
  const id = textField(row, 'id');
  const capabilities = objectField(row, 'capabilities');
  const limits = objectField(capabilities, 'limits');
  const windows = [numberField(limits, 'max_prompt_tokens'), numberField(limits, 'max_context_window_tokens')];
  const contextLength = Math.min(...windows.map((window) => (window !== undefined && window > 0 ? window : Infinity)));
  return id
    ? [
        {
          id,
          ...(contextLength < Infinity && { contextLength }),
          capabilities: capabilitiesIn(objectField(capabilities, 'supports'), limits),
        },
      ]
    : [];
}

function capabilitiesIn(supports: JsonObject | undefined, limits: JsonObject | undefined): ModelCapabilities {
  const efforts = listField(supports, 'reasoning_effort').filter((effort) => typeof effort === 'string');
  const maxOutputTokens = numberField(limits, 'max_output_tokens');
  return {
    ...flag('tools', supports?.tool_calls),
    ...flag('parallelCalls', supports?.parallel_tool_calls),
    ...flag('images', supports?.vision),
    ...(efforts.length > 0 && { reasoning: true, efforts }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

function flag(name: keyof ModelCapabilities, value: JsonValue | undefined): ModelCapabilities {
  return typeof value === 'boolean' ? { [name]: value } : {};
}
