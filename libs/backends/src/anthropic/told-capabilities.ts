import { isJsonObject, type JsonObject, type ModelCapabilities } from '#model';
import { numberField, objectField } from '../wire/json-fields.js';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

/** What a row of `/v1/models` tells of what its model can; undefined for nothing. */
export function toldCapabilities(row: JsonObject): ModelCapabilities | undefined {
  const told = objectField(row, 'capabilities');
  const thinking = objectField(told, 'thinking');
  const facts = {
    maxOutputTokens: numberField(row, 'max_tokens'),
    images: supported(told, 'image_input'),
    reasoning: supported(told, 'thinking'),
    efforts: effortsIn(objectField(told, 'effort'), supported(objectField(thinking, 'types'), 'disabled') === true),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function effortsIn(effort: JsonObject | undefined, isOptional: boolean): readonly string[] | undefined {
  const levels = EFFORTS.filter((level) => supported(effort, level));
  return levels.length === 0 ? undefined : [...(isOptional ? ['none'] : []), ...levels];
}

function supported(capabilities: JsonObject | undefined, name: string): boolean | undefined {
  const one = capabilities?.[name];
  return isJsonObject(one) && typeof one.supported === 'boolean' ? one.supported : undefined;
}
