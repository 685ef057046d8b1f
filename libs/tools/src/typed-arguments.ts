import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '#model';

/**
 * The arguments of a payload under a tool's schema: text fields become what their property's type says,
 * where the text is one of that type; otherwise they stay text for the check to complain about.
 * A field wins over the same key of the `args` object.
 */
export function typedArguments(fields: ReadonlyMap<string, string>, args: JsonObject, schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  const typed = [...fields].map(([key, text]) => [key, typedValue(text, isJsonObject(properties) ? properties[key] : undefined)] as const);
  return Object.fromEntries([...Object.entries(args), ...typed]);
}

function typedValue(text: string, property: JsonValue | undefined): JsonValue {
  const types = isJsonObject(property) ? [property['type']].flat() : [];
  if (types.length === 0 || types.includes('string')) return text;
  const value = jsonOrText(text);
  return types.some((type) => fits(value, type)) ? value : text;
}

function fits(value: JsonValue, type: JsonValue | undefined): boolean {
  if (type === 'integer') return typeof value === 'number';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isJsonObject(value);
  if (type === 'null') return value === null;
  return typeof value === type;
}

function jsonOrText(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
