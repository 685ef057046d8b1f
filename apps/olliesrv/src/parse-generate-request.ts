import { IllegalInputError, isJsonObject, parseJson } from '#model';
import type { GenerationParams, JsonObject, JsonValue } from '#model';

/** What a writer of `generate` asks for. */
export interface GenerateRequest {
  readonly prompt: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  readonly system: string;
  readonly params: GenerationParams;
}

const KEYS: readonly string[] = ['prompt', 'backend', 'model', 'system', 'maxTokens', 'temperature'];

/** JSON counts as a request only if it is an object with a string `prompt`; anything else is the prompt itself. Throws IllegalInputError. */
export function parseGenerateRequest(text: string): GenerateRequest {
  const object = requestObject(text);
  const request = object ? fromObject(object) : { prompt: text, backend: undefined, model: undefined, system: '', params: {} };
  if (request.prompt.trim() === '') throw new IllegalInputError('argument', 'empty prompt');
  return request;
}

function requestObject(text: string): JsonObject | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value = parseJson(text);
    return isJsonObject(value) && typeof value.prompt === 'string' ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function fromObject(object: JsonObject): GenerateRequest {
  const unknown = Object.keys(object).find((key) => !KEYS.includes(key));
  if (unknown !== undefined) throw new IllegalInputError('key', unknown);
  const [maxTokens, temperature] = [numberAt(object, 'maxTokens'), numberAt(object, 'temperature')];
  return {
    prompt: stringAt(object, 'prompt') ?? '',
    backend: stringAt(object, 'backend'),
    model: stringAt(object, 'model'),
    system: stringAt(object, 'system') ?? '',
    params: { ...(maxTokens === undefined ? {} : { maxTokens }), ...(temperature === undefined ? {} : { temperature }) },
  };
}

function stringAt(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return value === undefined || typeof value === 'string' ? value : refuse(key, value);
}

function numberAt(object: JsonObject, key: string): number | undefined {
  const value = object[key];
  return value === undefined || typeof value === 'number' ? value : refuse(key, value);
}

function refuse(key: string, value: JsonValue): never {
  throw new IllegalInputError('value', `${key}=${JSON.stringify(value)}`);
}
