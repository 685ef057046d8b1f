import {
  isJsonObject,
  type GenerationParams,
  type JsonObject,
  type JsonValue,
  type Message,
  type ModelRequest,
  type ToolCall,
  type ToolSchema,
} from '#model';
import { readArguments } from '../../../wire/read-arguments.js';
import { listField, listOf, objectField, textField } from '../../../wire/json-fields.js';
import { ScriptRefusal } from '../../errors.js';

export interface ChatRequest {
  readonly request: ModelRequest;
  readonly isStreaming: boolean;
  readonly wantsUsage: boolean;
}

const NO_PARAMS: GenerationParams = {};

/** The body of a chat completion request. Throws ScriptRefusal for what the wire format does not allow. */
export function parseChat(body: JsonObject): ChatRequest {
  const model = textField(body, 'model') ?? refuse('you must provide a model parameter');
  const wire = listField(body, 'messages').map((message, i) =>
    isJsonObject(message) ? message : refuse(`messages[${i}]: expected an object`),
  );
  const isSystem = (message: JsonObject): boolean => message.role === 'system' || message.role === 'developer';
  const names = callNames(wire);
  return {
    request: {
      model,
      system: wire
        .filter(isSystem)
        .map(({ content }) => plainText(content))
        .join('\n'),
      messages: wire.filter((message) => !isSystem(message)).map((message, i) => readMessage(message, names, `messages[${i}]`)),
      tools: listField(body, 'tools').map(readTool),
      params: NO_PARAMS,
    },
    isStreaming: body.stream === true,
    wantsUsage: body.stream !== true || objectField(body, 'stream_options')?.include_usage === true,
  };
}

function refuse(why: string): never {
  throw new ScriptRefusal(why);
}

function readMessage(message: JsonObject, names: ReadonlyMap<string, string>, place: string): Message {
  switch (textField(message, 'role') ?? '') {
    case 'user':
      return { role: 'user', content: readContent(message.content, place) };
    case 'assistant':
      return {
        role: 'assistant',
        content: assistantText(message.content),
        toolCalls: listField(message, 'tool_calls').map((call) => readCall(call, place)),
      };
    case 'tool': {
      const toolCallId = textField(message, 'tool_call_id') ?? refuse(`${place}: missing tool_call_id`);
      const text = plainText(message.content);
      return {
        role: 'tool',
        toolCallId,
        toolName: names.get(toolCallId) ?? '',
        content: [{ type: 'text', text }],
        isError: /^(error|execution failed)\b/i.test(text),
      };
    }
    default:
      return refuse(`${place}: unknown role ${JSON.stringify(message.role ?? null)}`);
  }
}

function readContent(content: JsonValue | undefined, place: string): Extract<Message, { role: 'user' }>['content'] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).map((part) => {
    const object = isJsonObject(part) ? part : {};
    if (object.type === 'text') return { type: 'text', text: textField(object, 'text') ?? '' };
    const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(textField(objectField(object, 'image_url'), 'url') ?? '') ?? [];
    return mimeType !== undefined && data !== undefined ? { type: 'image', mimeType, data } : refuse(`${place}: unknown content part`);
  });
}

function assistantText(content: JsonValue | undefined): readonly { readonly type: 'text'; readonly text: string }[] {
  return content === null || content === undefined ? [] : [{ type: 'text', text: plainText(content) }];
}

function plainText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (isJsonObject(part) ? (textField(part, 'text') ?? '') : ''))
    .join('');
}

function readCall(value: JsonValue, place: string): ToolCall {
  const call = isJsonObject(value) ? value : {};
  const fn = objectField(call, 'function');
  const [id, name, text] = [textField(call, 'id'), textField(fn, 'name'), textField(fn, 'arguments')];
  if (id === undefined || name === undefined || text === undefined)
    return refuse(`${place}: a tool call needs id, function.name and function.arguments`);
  const read = readArguments(text);
  return read.argumentsError === undefined ? { id, name, ...read } : refuse(`${place}: arguments of ${id} are not a JSON object`);
}

function callNames(messages: readonly JsonObject[]): ReadonlyMap<string, string> {
  const calls = messages.flatMap((message) => listField(message, 'tool_calls')).filter(isJsonObject);
  return new Map(calls.map((call) => [textField(call, 'id') ?? '', textField(objectField(call, 'function'), 'name') ?? '']));
}

function readTool(value: JsonValue): ToolSchema {
  const fn = objectField(isJsonObject(value) ? value : {}, 'function');
  return {
    name: textField(fn, 'name') ?? '',
    description: textField(fn, 'description') ?? '',
    parameters: objectField(fn, 'parameters') ?? {},
  };
}
