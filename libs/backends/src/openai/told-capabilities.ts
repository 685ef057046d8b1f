import type { JsonObject, ModelCapabilities } from '#model';
import { listField, numberField, objectField } from '../wire/json-fields.js';

/** What a row of OpenRouter's list, and of those that do as it does, tells of what its model can; undefined for nothing. */
export function toldCapabilities(row: JsonObject): ModelCapabilities | undefined {
  const facts = {
    maxOutputTokens: positive(objectField(row, 'top_provider'), 'max_completion_tokens') ?? positive(row, 'max_completion_tokens'),
    ...byParameters(row),
    ...byModalities(objectField(row, 'architecture')),
  };
  const known = Object.entries(facts).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function byParameters(row: JsonObject): ModelCapabilities {
  const taken = listField(row, 'supported_parameters');
  if (taken.length === 0) return {};
  return { tools: taken.includes('tools'), temperature: taken.includes('temperature'), reasoning: taken.includes('reasoning') };
}

function byModalities(architecture: JsonObject | undefined): ModelCapabilities {
  const read = listField(architecture, 'input_modalities');
  return read.length === 0 ? {} : { images: read.includes('image') };
}

function positive(object: JsonObject | undefined, key: string): number | undefined {
  const value = numberField(object, key);
  return value !== undefined && value > 0 ? value : undefined;
}
