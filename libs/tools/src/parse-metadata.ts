import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { ToolMetadataError } from './errors.js';
import { commandLine, FieldError, flag, objectSchema, oneOf, wholeNumber, word, words, type FieldReader } from './metadata-fields.js';
import { MAX_TIMEOUT_SECONDS, type ToolMetadata } from './metadata.js';

const TOOL_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const NO_ARGUMENTS: JsonObject = { type: 'object', properties: {} };
const DEFAULT_TIMEOUT_SECONDS = 120;
const KEYS: ReadonlySet<string> = new Set([
  'name', 'description', 'input', 'tier', 'parallel', 'bypass', 'timeout', 'background',
  'command', 'interpreter', 'pass', 'env', 'sandbox', 'requires', 'door',
]); // prettier-ignore

/** Where a value comes from, for errors. */
export interface MetadataOrigin {
  readonly file: string;
  /** The file's name without its ending: the default of `name`. */
  readonly stem: string;
}

/** Checks what a metadata file holds and fills in the defaults. Throws ToolMetadataError naming file and key. */
export function parseMetadata(content: unknown, origin: MetadataOrigin): ToolMetadata {
  const keys = keysOf(content, origin.file);
  const read = <T, D>(key: string, reader: FieldReader<T>, otherwise: D): T | D => {
    const value = keys[key];
    return value === undefined || value === null ? otherwise : readKey(value, reader, `${origin.file}: ${key}`);
  };
  const name = word(TOOL_NAME, 'a name of lower-case letters, digits and _');
  const text = word(/\S/, 'a text');
  const description = read('description', text, undefined);
  if (description === undefined) throw new ToolMetadataError(origin.file, 'description: missing');
  return {
    name: read('name', name, undefined) ?? readKey(origin.stem, name, `${origin.file}: name`),
    description: description.trim(),
    input: read('input', objectSchema, NO_ARGUMENTS),
    tier: read('tier', oneOf('hot', 'warm', 'cold'), 'hot'),
    parallel: read('parallel', oneOf('read', 'write', 'none'), 'none'),
    bypass: read('bypass', oneOf('never', 'ask', 'always'), 'never'),
    timeout: read('timeout', wholeNumber(1, MAX_TIMEOUT_SECONDS), DEFAULT_TIMEOUT_SECONDS),
    background: read('background', flag, false),
    command: read('command', commandLine, undefined),
    interpreter: read('interpreter', text, undefined),
    pass: read('pass', oneOf('stdin', 'argv', 'env'), 'stdin'),
    env: read('env', words, []),
    sandbox: read('sandbox', oneOf('default'), 'default'),
    requires: read('requires', words, []),
    door: read('door', oneOf('agent'), undefined),
  };
}

function keysOf(content: unknown, file: string): JsonObject {
  if (!isJson(content) || !isJsonObject(content)) throw new ToolMetadataError(file, 'expected keys and values');
  const unknown = Object.keys(content).find((key) => !KEYS.has(key));
  if (unknown !== undefined) throw new ToolMetadataError(file, `unknown key: ${unknown}`);
  return content;
}

function readKey<T>(value: JsonValue, reader: FieldReader<T>, place: string): T {
  try {
    return reader(value);
  } catch (error) {
    if (error instanceof FieldError) throw new ToolMetadataError(place, error.message);
    throw error;
  }
}

/** YAML knows dates, binaries and more; metadata and schemas are JSON. */
function isJson(value: unknown): value is JsonValue {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  if (Array.isArray(value)) return value.every(isJson);
  return typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isJson);
}
