import { isJsonObject, parseJson, type ToolCall } from '#model';
import { isTooDeep } from './json-depth.js';

type Arguments = Pick<ToolCall, 'arguments' | 'rawArguments' | 'argumentsError'>;

/** A model's arguments: nothing at all is `{}`; what is not a JSON object is kept as text beside the reason. */
export function readArguments(text: string): Arguments {
  if (text.trim() === '') return { arguments: {}, rawArguments: '{}' };
  try {
    const value = parseJson(text);
    if (isTooDeep(value)) return broken(text, 'nested too deeply');
    if (isJsonObject(value)) return { arguments: value, rawArguments: text };
    return value === null ? { arguments: {}, rawArguments: '{}' } : broken(text, 'not a JSON object');
  } catch (error) {
    if (error instanceof SyntaxError) return broken(text, error.message);
    throw error;
  }
}

function broken(text: string, argumentsError: string): Arguments {
  return { arguments: {}, rawArguments: text, argumentsError };
}
