import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { listField, objectField, textField } from '../../../wire/json-fields.js';
import { firstIn, loneSurrogate, objectsIn, type Rule, type Violation } from '../rules.js';

const ROLES = ['system', 'user', 'assistant', 'tool'];
const LEVELS: readonly JsonValue[] = ['high', 'medium', 'low', 'max', true, false];
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What Ollama refuses in a chat, and, as no provider does, results without calls, which its templates only garble. */
export const ollamaRules: readonly Rule[] = [
  {
    wants: 'no lone surrogates',
    find({ body }) {
      const path = loneSurrogate(body, 'brackets');
      return path === undefined ? undefined : at(path, 'invalid surrogate in string');
    },
  },
  { wants: 'a model', find: ({ body }) => (textField(body, 'model') ? undefined : { path: 'model', message: 'model is required' }) },
  { wants: 'known roles', find: ({ body }) => firstIn(body.messages, roleViolation) },
  { wants: 'content as text', find: ({ body }) => firstIn(body.messages, contentViolation) },
  { wants: 'images in base64', find: ({ body }) => firstIn(body.messages, imageViolation) },
  { wants: 'arguments as objects', find: ({ body }) => firstIn(body.messages, callsViolation) },
  { wants: 'each call followed by its result, and no other results', find: ({ body }) => pairingViolation(objectsIn(body.messages)) },
  { wants: 'a known way to think', find: ({ body }) => thinkViolation(body.think) },
  { wants: 'tools with names', find: ({ body }) => firstIn(body.tools, toolViolation) },
];

function at(path: string, why: string): Violation {
  return { path, message: `${path}: ${why}` };
}

function wrongType(kind: string, path: string, type: string): Violation {
  const field = path.replaceAll(/\[\d+\]/g, '');
  return { path, message: `json: cannot unmarshal ${kind} into Go struct field ChatRequest.${field} of type ${type} (${path})` };
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function roleViolation({ role }: JsonObject, index: number): Violation | undefined {
  if (typeof role === 'string' && ROLES.includes(role)) return undefined;
  const list = ROLES.map((one) => `"${one}"`).join(', ');
  return {
    path: `messages[${index}].role`,
    message: `invalid role: ${JSON.stringify(role ?? '')}, must be one of [${list}] (messages[${index}])`,
  };
}

function contentViolation({ content }: JsonObject, index: number): Violation | undefined {
  if (content === undefined || content === null || typeof content === 'string') return undefined;
  return wrongType(kindOf(content), `messages[${index}].content`, 'string');
}

function imageViolation(message: JsonObject, index: number): Violation | undefined {
  const bad = listField(message, 'images').findIndex((image) => typeof image !== 'string' || !BASE64.test(image));
  return bad < 0 ? undefined : at(`messages[${index}].images[${bad}]`, 'illegal base64 data at input byte 0');
}

function callsViolation(message: JsonObject, index: number): Violation | undefined {
  return firstIn(message.tool_calls, (call, i) => {
    const args = objectField(call, 'function')?.arguments ?? {};
    const path = `messages[${index}].tool_calls[${i}].function.arguments`;
    return isJsonObject(args) ? undefined : wrongType(kindOf(args), path, 'api.ToolCallFunctionArguments');
  });
}

function pairingViolation(messages: readonly JsonObject[]): Violation | undefined {
  let open: readonly JsonObject[] = [];
  for (const [index, message] of messages.entries()) {
    const path = `messages[${index}]`;
    if (message.role === 'tool') {
      const call = open.find((one) => answers(message, one));
      if (!call) return at(path, 'tool result without a tool call before it');
      open = open.filter((one) => one !== call);
    } else {
      if (open.length > 0) return at(path, 'tool call without a tool result behind it');
      open = objectsIn(message.tool_calls);
    }
  }
  return open.length > 0 ? at(`messages[${messages.length - 1}]`, 'tool call without a tool result behind it') : undefined;
}

function answers(result: JsonObject, call: JsonObject): boolean {
  const id = textField(result, 'tool_call_id');
  if (id !== undefined) return id === textField(call, 'id');
  const name = textField(result, 'tool_name') ?? textField(result, 'name');
  return name === undefined || name === textField(objectField(call, 'function'), 'name');
}

function thinkViolation(think: JsonValue | undefined): Violation | undefined {
  if (think === undefined || think === null || LEVELS.includes(think)) return undefined;
  return {
    path: 'think',
    message: `invalid think value: ${JSON.stringify(think)} (must be "high", "medium", "low", "max", true, or false)`,
  };
}

function toolViolation(tool: JsonObject, index: number): Violation | undefined {
  return textField(objectField(tool, 'function'), 'name') ? undefined : at(`tools[${index}].function.name`, 'a tool needs a name');
}
