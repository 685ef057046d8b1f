import { readFileSync } from 'node:fs';
import { errnoOf, messageOf } from '#config';
import { isJsonObject, parseJson, type JsonValue, type ToolSchema } from '#model';
import { CommandError } from '#ninep-cli';

/** Reads an array of tools, each with a `name`. Throws CommandError for what is none. */
export function readTools(file: string): readonly ToolSchema[] {
  const value = contentOf(file);
  if (!Array.isArray(value)) throw new CommandError(`${file}: not a JSON array of tools`);
  return value.map((one: JsonValue, index) => {
    const tool = toolIn(one);
    if (!tool) throw new CommandError(`${file}: tool ${index + 1} is no {"name", "description", "parameters"}`);
    return tool;
  });
}

function toolIn(value: JsonValue): ToolSchema | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, description = '', parameters = { type: 'object', properties: {} } } = value;
  return typeof name === 'string' && typeof description === 'string' && isJsonObject(parameters)
    ? { name, description, parameters }
    : undefined;
}

function contentOf(file: string): JsonValue {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file}: ${error instanceof SyntaxError ? 'not JSON' : reasonOf(error)}`);
  }
}

function reasonOf(error: unknown): string {
  return errnoOf(error) === 'ENOENT' ? 'no such file' : messageOf(error);
}
