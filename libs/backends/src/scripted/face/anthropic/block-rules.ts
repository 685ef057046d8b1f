import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { objectField, textField } from '../../../wire/json-fields.js';
import { firstIn, type Violation } from '../rules.js';
import { redactedSeal, thinkingSeal } from './signed.js';

const ID = /^[a-zA-Z0-9_-]{1,64}$/;
const IMAGES: readonly JsonValue[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const TAGS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload', 'tool_reference'],
  system: ['text'],
  assistant: [
    'text',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'server_tool_use',
    'web_search_tool_result',
    'mcp_tool_use',
    'mcp_tool_result',
  ],
};

export interface BlockPlace {
  readonly role: JsonValue | undefined;
  readonly path: string;
  readonly model: string;
}

/** What is wrong in one block by itself. */
export function blockViolation(block: JsonObject, place: BlockPlace): Violation | undefined {
  const tags = TAGS[typeof place.role === 'string' ? place.role : 'user'] ?? [];
  const type = textField(block, 'type') ?? '';
  if (!tags.includes(type)) {
    const list = tags.map((tag) => `'${tag}'`).join(', ');
    return at(place.path, `Input tag '${type}' found using 'type' does not match any of the expected tags: ${list}`);
  }
  return KINDS[type]?.(block, place);
}

const KINDS: Readonly<Record<string, (block: JsonObject, place: BlockPlace) => Violation | undefined>> = {
  text: textViolation,
  image: imageViolation,
  thinking: thinkingViolation,
  redacted_thinking: redactedViolation,
  tool_use: callViolation,
  tool_result: resultViolation,
};

function at(path: string, why: string): Violation {
  return { path, message: `${path}: ${why}` };
}

function textViolation({ text }: JsonObject, { path }: BlockPlace): Violation | undefined {
  if (typeof text !== 'string') return at(`${path}.text.text`, 'Field required');
  if (text === '') return at(path, 'text content blocks must be non-empty');
  return text.trim() === '' ? at(path, 'text content blocks must contain non-whitespace text') : undefined;
}

function imageViolation(block: JsonObject, { path }: BlockPlace): Violation | undefined {
  const source = objectField(block, 'source');
  if (!source) return at(`${path}.image.source`, 'Field required');
  if (source.type !== 'base64') return undefined;
  if (!IMAGES.includes(source.media_type ?? null))
    return at(`${path}.image.source.base64.media_type`, "Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'");
  return textField(source, 'data') ? undefined : at(`${path}.image.source.base64.data`, 'image cannot be empty');
}

function thinkingViolation(block: JsonObject, { path, model }: BlockPlace): Violation | undefined {
  const { thinking, signature, cache_control: mark } = block;
  if (typeof thinking !== 'string') return at(`${path}.thinking.thinking`, 'Field required');
  if (typeof signature !== 'string') return at(`${path}.thinking.signature`, 'Field required');
  if (mark !== undefined) return at(`${path}.thinking.cache_control`, 'Extra inputs are not permitted');
  return signature === thinkingSeal(model, thinking) ? undefined : at(path, 'Invalid `signature` in `thinking` block');
}

function redactedViolation({ data }: JsonObject, { path, model }: BlockPlace): Violation | undefined {
  return data === redactedSeal(model) ? undefined : at(path, 'Invalid `data` in `redacted_thinking` block');
}

function callViolation({ id, name, input }: JsonObject, { path }: BlockPlace): Violation | undefined {
  if (typeof id !== 'string') return at(`${path}.tool_use.id`, 'Field required');
  if (!ID.test(id)) return at(`${path}.tool_use.id`, "String should match pattern '^[a-zA-Z0-9_-]{1,64}$'");
  if (typeof name !== 'string' || name === '') return at(`${path}.tool_use.name`, 'Field required');
  return isJsonObject(input) ? undefined : at(`${path}.tool_use.input`, 'Input should be a valid dictionary');
}

function resultViolation(block: JsonObject, place: BlockPlace): Violation | undefined {
  const { tool_use_id: id, content } = block;
  if (typeof id !== 'string') return at(`${place.path}.tool_result.tool_use_id`, 'Field required');
  return firstIn(content, (inner, i) => blockViolation(inner, { ...place, path: `${place.path}.content.${i}` }));
}
