import { Ajv, type ErrorObject } from 'ajv';
import type { JsonObject } from '#model';

export type ArgumentCheck = (args: JsonObject) => string | undefined;

const OPTIONS = { strict: false, strictSchema: true, validateFormats: false, addUsedSchema: false } as const;
/** One for all schemas: to compile the schema for schemas takes twenty times as long as a schema of ours. */
let careful: Ajv | undefined;
/** For schemas that are known to be ones. */
let trusting: Ajv | undefined;

/**
 * A check of arguments against a JSON Schema, compiled once. It answers `<path> <why>` for the first
 * argument that does not fit, and throws at compile time for a schema that is none. A keyword that JSON
 * Schema does not know is refused too: in YAML, an unquoted comma makes one out of half a description.
 */
export function compileCheck(schema: JsonObject): ArgumentCheck {
  careful ??= new Ajv(OPTIONS);
  return checkBy(careful, schema);
}

/** The same for a schema that is known to be one: it is compiled when it is first used. */
export function lateCheck(schema: JsonObject): ArgumentCheck {
  let check: ArgumentCheck | undefined;
  return (args) => {
    trusting ??= new Ajv({ ...OPTIONS, meta: false, validateSchema: false });
    check ??= checkBy(trusting, schema);
    return check(args);
  };
}

function checkBy(ajv: Ajv, schema: JsonObject): ArgumentCheck {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema); // it would be kept for ever, and files change
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
