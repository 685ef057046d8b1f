import { Ajv, type ErrorObject } from 'ajv';
import type { JsonObject } from '#model';

/**
 * A check of arguments against a JSON Schema, compiled once. It answers `<path> <why>` for the first
 * argument that does not fit, and throws at compile time for a schema that is none. A keyword that JSON
 * Schema does not know is refused too: in YAML, an unquoted comma makes one out of half a description.
 */
export function compileCheck(schema: JsonObject): (args: JsonObject) => string | undefined {
  const validate = new Ajv({ strict: false, strictSchema: true, validateFormats: false, addUsedSchema: false }).compile(schema);
  return (args) => (validate(args) ? undefined : describe(validate.errors?.[0]));
}

function describe(error: ErrorObject | undefined): string {
  if (error === undefined) return '/ does not fit';
  const params: Readonly<Record<string, unknown>> = error.params;
  const inside = (name: unknown): string => `${error.instancePath}/${String(name)}`;
  switch (error.keyword) {
    case 'required':
      return `${inside(params['missingProperty'])} is required`;
    case 'additionalProperties':
      return `${inside(params['additionalProperty'])} is not an argument of this tool`;
    case 'enum':
      return `${error.instancePath || '/'} must be one of ${JSON.stringify(params['allowedValues'])}`;
    default:
      return `${error.instancePath || '/'} ${error.message ?? 'does not fit'}`;
  }
}
