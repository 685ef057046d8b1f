import type { JsonObject } from '#model';
import { numberField, objectField } from '../../wire/json-fields.js';
import { firstIn, loneSurrogate, type Rule, type Violation } from './rules.js';

/** Rules of OpenAI's two faces, in its words. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

export function invalid(path: string, message: string, code: string | undefined = 'invalid_value'): Violation {
  return { path, message, code };
}

export function missing(path: string): Violation {
  return invalid(path, `Missing required parameter: '${path}'.`, 'missing_required_parameter');
}

export function unsupported(path: string, value: unknown, allowed: readonly string[]): Violation {
  const list = allowed.map((one) => `'${one}'`).join(', ');
  return invalid(path, `Invalid value: '${String(value)}'. Supported values are: ${list}.`);
}

export function wrongType(path: string, wanted: string, value: unknown): Violation {
  const found = value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
  return invalid(path, `Invalid type for '${path}': expected ${wanted}, but got ${found} instead.`, 'invalid_type');
}

export function emptyList(path: string): Violation {
  return invalid(
    path,
    `Invalid '${path}': empty array. Expected an array with minimum length 1, but got an empty array instead.`,
    'empty_array',
  );
}

export function tooLong(path: string, value: string, most: number): Violation {
  const why = `Expected a string with maximum length ${most}, but got a string with length ${value.length} instead.`;
  return invalid(path, `Invalid '${path}': string too long. ${why}`, 'string_above_max_length');
}

/** A field that must lie between two numbers where it is given. */
export function between(field: string, least: number, most: number): Rule {
  return {
    wants: `${field} from ${least} to ${most}`,
    find({ body }) {
      const value = numberField(body, field);
      if (value === undefined || (value >= least && value <= most)) return undefined;
      const [kind, edge, code] =
        value < least ? ['below minimum', `>= ${least}`, 'below_min'] : ['above maximum', `<= ${most}`, 'above_max'];
      const type = Number.isInteger(least) && most === Infinity ? 'integer' : 'decimal';
      return invalid(
        field,
        `Invalid '${field}': ${type} ${kind} value. Expected a value ${edge}, but got ${value} instead.`,
        `${type}_${code}_value`,
      );
    },
  };
}

export const unicodeRule: Rule = {
  wants: 'no lone surrogates',
  find({ body }) {
    const path = loneSurrogate(body, 'brackets');
    return path === undefined
      ? undefined
      : invalid(path, `We could not parse the JSON body of your request: '${path}' holds a lone surrogate.`, '');
  },
};

/** `inner` gives where a tool has its name and schema: in itself, or one level down. */
export function toolsRule(inner: 'function' | undefined): Rule {
  return {
    wants: 'tools with legal names of their own and schemas of objects',
    find({ body }) {
      if (Array.isArray(body.tools) && body.tools.length === 0) return emptyList('tools');
      const names = new Set<string>();
      return firstIn(body.tools, (tool, i) => {
        if (tool.type !== 'function') return inner ? unsupported(`tools[${i}].type`, tool.type, ['function', 'custom']) : undefined;
        const place = inner ? `tools[${i}].${inner}` : `tools[${i}]`;
        return toolViolation((inner ? objectField(tool, inner) : tool) ?? {}, place, names);
      });
    },
  };
}

function toolViolation({ name, parameters }: JsonObject, place: string, names: Set<string>): Violation | undefined {
  if (typeof name !== 'string') return missing(`${place}.name`);
  if (!NAME.test(name)) {
    const why = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.";
    return invalid(`${place}.name`, `Invalid '${place}.name': ${why}`);
  }
  if (names.has(name)) return invalid(`${place}.name`, `Invalid '${place}.name': the function '${name}' is there twice.`);
  names.add(name);
  const type = typeof parameters === 'object' && parameters !== null && 'type' in parameters ? parameters.type : undefined;
  if (parameters === undefined || parameters === null || type === 'object') return undefined;
  const why = `schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type ?? 'None')}'.`;
  return invalid(`${place}.parameters`, `Invalid schema for function '${name}': ${why}`, 'invalid_function_parameters');
}
