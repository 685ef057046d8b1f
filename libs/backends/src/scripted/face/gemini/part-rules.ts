import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { textField } from '../../../wire/json-fields.js';
import type { Violation } from '../rules.js';
import { protoField } from './proto-field.js';

const KINDS = ['text', 'inlineData', 'fileData', 'functionCall', 'functionResponse', 'executableCode', 'codeExecutionResult'];
const MEDIA = /^(?:image\/(?:png|jpeg|webp|heic|heif)|audio\/|video\/|text\/|application\/)/;

interface PartPlace {
  readonly path: string;
  readonly role: string;
}

/** What is wrong in one part by itself. */
export function partViolation(part: JsonObject, { path, role }: PartPlace): Violation | undefined {
  const kind = KINDS.find((name) => protoField(part, name) !== undefined);
  if (kind === undefined) return at(`${path}.data`, "required oneof field 'data' must have one initialized field");
  if (kind === 'text') return textViolation(part, path);
  if (kind === 'inlineData') return mediaViolation(protoField(part, kind), path);
  if (kind === 'functionCall' && role !== 'model') return at(path, 'function calls must be in a content of role model.');
  if (kind === 'functionResponse' && role === 'model') return at(path, 'function responses must be in a content of role user.');
  return kind === 'functionCall' || kind === 'functionResponse' ? functionViolation(protoField(part, kind), path, kind) : undefined;
}

function at(path: string, why: string): Violation {
  return { path, message: `* GenerateContentRequest.${path}: ${why}\n` };
}

/** Empty text holds a signature, or nothing that could be meant. */
function textViolation(part: JsonObject, path: string): Violation | undefined {
  if (typeof part.text !== 'string') return { path, message: `Invalid value at '${path}.text' (TYPE_STRING)` };
  const isEmpty = part.text === '' && protoField(part, 'thoughtSignature') === undefined;
  return isEmpty ? at(`${path}.data`, "required oneof field 'data' must have one initialized field") : undefined;
}

function mediaViolation(data: JsonValue | undefined, path: string): Violation | undefined {
  const media = isJsonObject(data) ? data : {};
  const type = textField(media, 'mimeType') ?? textField(media, 'mime_type');
  if (type !== undefined && MEDIA.test(type)) return undefined;
  return { path: `${path}.inline_data.mime_type`, message: `Unsupported MIME type: ${String(type)} (${path}.inline_data.mime_type)` };
}

function functionViolation(value: JsonValue | undefined, path: string, kind: string): Violation | undefined {
  const { name, args, response } = isJsonObject(value) ? value : {};
  const place = `${path}.${kind === 'functionCall' ? 'function_call' : 'function_response'}`;
  if (typeof name !== 'string' || name === '') return at(`${place}.name`, 'Name cannot be empty.');
  if (kind === 'functionResponse' && !isJsonObject(response))
    return { path: place, message: `Invalid value at '${place}.response' (type.googleapis.com/google.protobuf.Struct)` };
  const isRight = kind !== 'functionCall' || args === undefined || isJsonObject(args);
  return isRight ? undefined : { path: place, message: `Invalid value at '${place}.args' (type.googleapis.com/google.protobuf.Struct)` };
}
