import { isJsonObject, type JsonObject } from '#model';
import { numberField, objectField, textField } from '../../../wire/json-fields.js';
import { firstIn, loneSurrogate, objectsIn, unknownField, type Rule, type Seen, type Violation } from '../rules.js';
import { blockViolation } from './block-rules.js';
import { cacheMarks } from './cache-control.js';
import { pairingViolation } from './message-pairing.js';
import { blocksOf } from './parse-messages.js';
import { thinkingRules } from './thinking-rules.js';

const FIELDS = `cache_control container context_management diagnostics inference_geo max_tokens mcp_servers messages metadata model
  output_config output_format service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p
  user_profile_id workspace_id`.split(/\s+/);
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MOST_MARKS = 4;

/** What Anthropic refuses in a message request. */
export const anthropicRules: readonly Rule[] = [
  {
    wants: 'a version',
    find: ({ headers }) => (headers['anthropic-version'] === undefined ? at('anthropic-version', 'header is required') : undefined),
  },
  {
    wants: 'no lone surrogates',
    find({ body }) {
      const path = loneSurrogate(body, 'dots');
      return path === undefined ? undefined : { path, message: `The request body is not valid JSON: no low surrogate in string: ${path}` };
    },
  },
  {
    wants: 'known fields only',
    find({ body }) {
      const field = unknownField(body, FIELDS);
      return field === undefined ? undefined : at(field, 'Extra inputs are not permitted');
    },
  },
  { wants: 'a model', find: ({ body }) => (typeof body.model === 'string' ? undefined : at('model', 'Field required')) },
  { wants: 'max_tokens', find: maxTokens },
  { wants: 'messages', find: ({ body }) => (Array.isArray(body.messages) ? atLeastOne(body) : at('messages', 'Field required')) },
  { wants: 'known roles', find: ({ body }) => firstIn(body.messages, roleViolation) },
  { wants: 'the user first and last', find: ends },
  { wants: 'content', find: ({ body }) => firstIn(body.messages, contentViolation) },
  { wants: 'no empty text in the system prompt', find: ({ body }) => (body.system === undefined ? undefined : system(body)) },
  { wants: 'blocks that are right', find: ({ body, model }) => firstIn(body.messages, (message, i) => blocksViolation(message, i, model)) },
  { wants: 'each call answered at the start of the next message', find: ({ body }) => pairingViolation(objectsIn(body.messages)) },
  { wants: 'tools with legal names of their own and schemas of objects', find: ({ body }) => tools(body) },
  {
    wants: 'tool_choice with tools only',
    find: ({ body }) =>
      body.tool_choice === undefined || body.tools !== undefined
        ? undefined
        : at('tool_choice', 'may only be specified while providing tools'),
  },
  ...thinkingRules,
  {
    wants: 'four cache marks at most',
    find({ body }) {
      const marks = cacheMarks(body);
      const path = marks[MOST_MARKS];
      const why = `A maximum of ${MOST_MARKS} blocks with cache_control may be provided. Found ${marks.length}.`;
      return path === undefined ? undefined : { path, message: `${why} (${path})` };
    },
  },
];

function at(path: string, why: string): Violation {
  return { path, message: `${path}: ${why}` };
}

/** A request for a count has no answer to limit. */
function maxTokens({ body, kind }: Seen): Violation | undefined {
  const given = numberField(body, 'max_tokens');
  if (given === undefined) return kind === 'count' ? undefined : at('max_tokens', 'Field required');
  return given >= 1 ? undefined : at('max_tokens', 'Input should be greater than or equal to 1');
}

function atLeastOne(body: JsonObject): Violation | undefined {
  return objectsIn(body.messages).length > 0 ? undefined : at('messages', 'at least one message is required');
}

function roleViolation({ role }: JsonObject, index: number): Violation | undefined {
  if (role === 'user' || role === 'assistant' || (role === 'system' && index > 0)) return undefined;
  const path = `messages.${index}.role`;
  if (role !== 'system') return at(path, "Input should be 'user' or 'assistant'");
  return at(
    path,
    'Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
  );
}

function ends({ body }: Seen): Violation | undefined {
  const messages = objectsIn(body.messages);
  if (messages[0]?.role !== 'user') return at('messages.0', 'first message must use the "user" role');
  const why = 'This model does not support assistant message prefill. The conversation must end with a user message.';
  const last = messages.at(-1);
  const isPaused = blocksOf(last?.content).some(({ type }) => type === 'server_tool_use'); // such a turn is sent back to go on
  return last?.role === 'assistant' && !isPaused ? at(`messages.${messages.length - 1}`, why) : undefined;
}

function contentViolation({ content }: JsonObject, index: number): Violation | undefined {
  const path = `messages.${index}`;
  if (content === undefined) return at(`${path}.content`, 'Field required');
  if (typeof content !== 'string' && !Array.isArray(content)) return at(`${path}.content`, 'Input should be a valid list');
  if (content.length === 0) return at(path, 'all messages must have non-empty content except for the optional final assistant message');
  return undefined;
}

function system(body: JsonObject): Violation | undefined {
  return firstIn(typeof body.system === 'string' ? [] : body.system, ({ text }, i) =>
    text === '' ? at(`system.${i}`, 'text content blocks must be non-empty') : undefined,
  );
}

function blocksViolation({ role, content }: JsonObject, index: number, model: string): Violation | undefined {
  const blocks = blocksOf(content);
  const found = firstIn(blocks, (block, i) => blockViolation(block, { role, path: `messages.${index}.content.${i}`, model }));
  if (found || role !== 'assistant' || blocks.at(-1)?.type !== 'thinking') return found;
  return at(`messages.${index}`, 'The final block in an assistant message cannot be `thinking`.');
}

function tools(body: JsonObject): Violation | undefined {
  const names = new Set<string>();
  return firstIn(body.tools, (tool, i) => {
    const name = textField(tool, 'name') ?? '';
    if (names.has(name)) return at(`tools.${i}`, `Tool names must be unique. (${name})`);
    names.add(name);
    return tool.type === undefined || tool.type === 'custom' ? toolViolation(tool, name, `tools.${i}.custom`) : undefined;
  });
}

const TOOL_FIELDS = `type name description input_schema cache_control strict defer_loading allowed_callers input_examples
  eager_input_streaming`.split(/\s+/);

function toolViolation(tool: JsonObject, name: string, path: string): Violation | undefined {
  const field = unknownField(tool, TOOL_FIELDS);
  if (field !== undefined) return at(`${path}.${field}`, 'Extra inputs are not permitted');
  if (!NAME.test(name)) return at(`${path}.name`, "String should match pattern '^[a-zA-Z0-9_-]{1,128}$'");
  const schema = objectField(tool, 'input_schema');
  if (!isJsonObject(schema)) return at(`${path}.input_schema`, 'Field required');
  return schema.type === 'object' ? undefined : at(`${path}.input_schema.type`, "Input should be 'object'");
}
