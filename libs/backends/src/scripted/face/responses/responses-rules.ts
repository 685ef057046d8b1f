import type { JsonObject, JsonValue } from '#model';
import { numberField, objectField, textField } from '../../../wire/json-fields.js';
import { between, emptyList, invalid, missing, tooLong, toolsRule, unicodeRule, unsupported, wrongType } from '../openai-rules.js';
import { firstIn, objectsIn, unknownField, type Rule, type Seen, type Violation } from '../rules.js';
import { pairingViolation } from './item-pairing.js';
import { itemsOf, typeOf } from './parse-items.js';
import { reasoningViolation } from './reasoning-rules.js';

const FIELDS = `access_programs background background_options context_management conversation include input instructions max_output_tokens
  max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools
  top_logprobs top_p truncation user`.split(/\s+/);

/** Fields of chat completions, and what has become of them. */
const MOVED: Readonly<Record<string, string>> = {
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
  verbosity: 'text.verbosity',
};
const LEAST_OUTPUT = 16;
const MOST_ID_CHARACTERS = 64;
const ROLES = ['assistant', 'system', 'developer', 'user'];
const TYPES = `message reasoning function_call function_call_output item_reference web_search_call file_search_call computer_call
  computer_call_output code_interpreter_call image_generation_call local_shell_call local_shell_call_output shell_call shell_call_output
  apply_patch_call apply_patch_call_output mcp_list_tools mcp_approval_request mcp_approval_response mcp_call custom_tool_call
  custom_tool_call_output compaction compaction_trigger program program_output tool_search_call tool_search_output
  additional_tools`.split(/\s+/);
const PARTS = ['input_text', 'input_image', 'input_file', 'input_audio'];
const OWN_PARTS = ['output_text', 'refusal'];
/** How ids of items begin. */
const PREFIXES: Readonly<Record<string, string>> = { function_call: 'fc', reasoning: 'rs' };

/** What OpenAI refuses in a request for a response. */
export const responsesRules: readonly Rule[] = [
  unicodeRule,
  { wants: 'known fields only', find: ({ body }) => fieldViolation(body) },
  { wants: 'a model', find: ({ body }) => (typeof body.model === 'string' ? undefined : missing('model')) },
  { wants: 'input', find: inputViolation },
  {
    wants: 'nothing that was stored',
    find: ({ body }) =>
      typeof body.previous_response_id === 'string'
        ? invalid(
            'previous_response_id',
            `Previous response with id '${body.previous_response_id}' not found.`,
            'previous_response_not_found',
          )
        : undefined,
  },
  { wants: 'known items', find: ({ body }) => firstIn(itemsOf(body), itemViolation) },
  { wants: 'each call with an output, and no other outputs', find: ({ body }) => pairingViolation(itemsOf(body)) },
  { wants: 'reasoning unchanged, before what came of it', find: (seen) => reasoningViolation(itemsOf(seen.body), seen) },
  toolsRule(undefined),
  between('max_output_tokens', LEAST_OUTPUT, Infinity),
  between('temperature', 0, 2),
  between('top_p', 0, 1),
  { wants: 'no temperature while thinking', find: ({ body }) => samplingViolation(body) },
];

function fieldViolation(body: JsonObject): Violation | undefined {
  const field = unknownField(body, FIELDS);
  if (field === undefined) return undefined;
  const moved = MOVED[field];
  if (moved === undefined) return invalid(field, `Unknown parameter: '${field}'.`, 'unknown_parameter');
  const why = `In the Responses API, this parameter has moved to '${moved}'. Try again with the new parameter.`;
  return invalid(field, `Unsupported parameter: '${field}'. ${why}`, 'unsupported_parameter');
}

function inputViolation({ body: { input } }: Seen): Violation | undefined {
  if (input === undefined || input === null) return missing('input');
  if (typeof input === 'string') return undefined;
  if (!Array.isArray(input)) return wrongType('input', 'one of a string or array of objects', input);
  return input.length === 0 ? emptyList('input') : undefined;
}

function itemViolation(item: JsonObject, index: number): Violation | undefined {
  const path = `input[${index}]`;
  const type = typeOf(item);
  if (!TYPES.includes(type)) return unsupported(`${path}.type`, item.type, TYPES);
  return idViolation(item, path) ?? (type === 'message' ? messageViolation(item, path) : callViolation(item, path));
}

function idViolation({ id, type, call_id: callId }: JsonObject, path: string): Violation | undefined {
  const prefix = PREFIXES[typeof type === 'string' ? type : ''];
  if (typeof id === 'string' && prefix !== undefined && !id.startsWith(prefix))
    return invalid(`${path}.id`, `Invalid '${path}.id': '${id}'. Expected an ID that begins with '${prefix}'.`);
  const isTooLong = typeof callId === 'string' && callId.length > MOST_ID_CHARACTERS;
  return isTooLong ? tooLong(`${path}.call_id`, callId, MOST_ID_CHARACTERS) : undefined;
}

function messageViolation({ role, content }: JsonObject, path: string): Violation | undefined {
  if (typeof role !== 'string' || !ROLES.includes(role)) return unsupported(`${path}.role`, role, ROLES);
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return wrongType(`${path}.content`, 'one of a string or array of objects', content ?? null);
  return partsViolation(content, role === 'assistant' ? OWN_PARTS : PARTS, `${path}.content`);
}

function partsViolation(parts: JsonValue, allowed: readonly string[], path: string): Violation | undefined {
  return firstIn(parts, (part, i) => {
    if (typeof part.type !== 'string' || !allowed.includes(part.type)) return unsupported(`${path}[${i}].type`, part.type, allowed);
    return part.type.endsWith('_text') && typeof part.text !== 'string' ? missing(`${path}[${i}].text`) : undefined;
  });
}

function callViolation(item: JsonObject, path: string): Violation | undefined {
  if (item.type === 'function_call') {
    const field = ['call_id', 'name', 'arguments'].find((key) => item[key] === undefined);
    if (field !== undefined) return missing(`${path}.${field}`);
    return typeof item.arguments === 'string' ? undefined : wrongType(`${path}.arguments`, 'a string', item.arguments);
  }
  if (item.type !== 'function_call_output') return undefined;
  if (item.call_id === undefined) return missing(`${path}.call_id`);
  if (item.output === undefined) return missing(`${path}.output`);
  return Array.isArray(item.output) ? partsViolation(objectsIn(item.output), PARTS, `${path}.output`) : undefined;
}

/** Models that reason take one only where they are told not to. */
function samplingViolation(body: JsonObject): Violation | undefined {
  const effort = textField(objectField(body, 'reasoning'), 'effort');
  if (numberField(body, 'temperature') === undefined || effort === undefined || effort === 'none') return undefined;
  return invalid('temperature', "Unsupported parameter: 'temperature' is not supported with this model.", 'unsupported_parameter');
}
