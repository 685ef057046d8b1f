import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listOf, textField } from '../../../wire/json-fields.js';
import { between, emptyList, invalid, missing, tooLong, toolsRule, unicodeRule, unsupported, wrongType } from '../openai-rules.js';
import { firstIn, unknownField, type Rule, type Violation } from '../rules.js';
import { CHAT_FIELDS } from './chat-fields.js';
import { pairingViolation } from './chat-pairing.js';
import { mistralViolation } from './mistral-ids.js';

const ROLES = ['system', 'assistant', 'user', 'function', 'tool', 'developer'];
const PARTS: Readonly<Record<string, readonly string[]>> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};
const ONLY_TEXT: readonly string[] = ['text'];
const MOST_ID_CHARACTERS = 40;

/** What OpenAI refuses in a chat completion. */
export const chatRules: readonly Rule[] = [
  unicodeRule,
  {
    wants: 'known fields only',
    find({ body }) {
      const field = unknownField(body, CHAT_FIELDS);
      return field === undefined ? undefined : invalid(field, `Unrecognized request argument supplied: ${field}`, '');
    },
  },
  {
    wants: 'a model and messages',
    find({ body }) {
      if (typeof body.model !== 'string') return invalid('model', 'you must provide a model parameter', '');
      if (!Array.isArray(body.messages)) return missing('messages');
      return body.messages.length === 0 ? emptyList('messages') : undefined;
    },
  },
  { wants: 'known roles', find: ({ body }) => firstIn(body.messages, roleViolation) },
  { wants: 'content of the kinds that a role has', find: ({ body }) => firstIn(body.messages, contentViolation) },
  { wants: 'calls with ids and arguments as text', find: ({ body }) => firstIn(body.messages, callsViolation) },
  { wants: 'ids of nine letters and digits where the model is one of Mistral', find: mistralViolation },
  { wants: 'each call followed by its result, and no other results', find: ({ body }) => pairingViolation(body.messages) },
  toolsRule('function'),
  {
    wants: 'tool_choice with tools only',
    find: ({ body }) =>
      body.tool_choice === undefined || body.tools !== undefined
        ? undefined
        : invalid('tool_choice', "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."),
  },
  {
    wants: 'stream_options in streams only',
    find: ({ body }) =>
      isJsonObject(body.stream_options) && body.stream !== true
        ? invalid('stream_options', "The 'stream_options' parameter is only allowed when 'stream' is enabled.", '')
        : undefined,
  },
  {
    wants: 'one limit of the answer',
    find: ({ body }) =>
      body.max_tokens !== undefined && body.max_completion_tokens !== undefined
        ? invalid(
            'max_tokens',
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            'invalid_parameter_combination',
          )
        : undefined,
  },
  between('max_tokens', 1, Infinity),
  between('max_completion_tokens', 1, Infinity),
  between('temperature', 0, 2),
  between('top_p', 0, 1),
];

function roleViolation({ role }: JsonObject, index: number): Violation | undefined {
  if (role === undefined) return missing(`messages[${index}].role`);
  return typeof role === 'string' && ROLES.includes(role) ? undefined : unsupported(`messages[${index}].role`, role, ROLES);
}

function contentViolation(message: JsonObject, index: number): Violation | undefined {
  const { content, tool_calls: calls } = message;
  const path = `messages[${index}].content`;
  if (typeof content === 'string') return undefined;
  if (content === null || content === undefined) {
    const mayBeEmpty = message.role === 'assistant' && (calls !== undefined || message.function_call !== undefined);
    return mayBeEmpty ? undefined : invalid(path, `Invalid value for 'content': expected a string, got null. (${path})`);
  }
  if (!Array.isArray(content)) return wrongType(path, 'one of a string or array of objects', content);
  return partViolation(content, PARTS[textField(message, 'role') ?? ''] ?? ONLY_TEXT, path);
}

function partViolation(content: JsonValue, allowed: readonly string[], path: string): Violation | undefined {
  if (listOf(content).length === 0) return emptyList(path);
  return firstIn(content, ({ type }, i) =>
    typeof type === 'string' && allowed.includes(type) ? undefined : unsupported(`${path}[${i}].type`, type, allowed),
  );
}

function callsViolation({ role, tool_calls: calls }: JsonObject, index: number): Violation | undefined {
  if (role !== 'assistant' || calls === undefined || calls === null) return undefined;
  const path = `messages[${index}].tool_calls`;
  if (listOf(calls).length === 0) return emptyList(path);
  return firstIn(calls, (call, i) => callViolation(call, `${path}[${i}]`));
}

function callViolation({ id, type, function: fn }: JsonObject, path: string): Violation | undefined {
  if (typeof id !== 'string' || id === '') return missing(`${path}.id`);
  if (id.length > MOST_ID_CHARACTERS) return tooLong(`${path}.id`, id, MOST_ID_CHARACTERS);
  if (type !== 'function') return missing(`${path}.type`);
  const { name, arguments: given } = isJsonObject(fn) ? fn : {};
  if (typeof name !== 'string') return missing(`${path}.function.name`);
  return typeof given === 'string' ? undefined : wrongType(`${path}.function.arguments`, 'a string', given);
}
