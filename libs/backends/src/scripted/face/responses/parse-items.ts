import type {
  AssistantMessage,
  ImageContent,
  JsonObject,
  JsonValue,
  Message,
  ModelRequest,
  TextContent,
  ToolCall,
  ToolMessage,
} from '#model';
import { listField, objectField, textField } from '../../../wire/json-fields.js';
import { readArguments } from '../../../wire/read-arguments.js';
import { objectsIn } from '../rules.js';

const SYSTEM: readonly JsonValue[] = ['system', 'developer'];
const OWN: readonly JsonValue[] = ['reasoning', 'function_call'];

/** The items of a request; a text alone is the user's. */
export function itemsOf({ input }: JsonObject): readonly JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsIn(input);
}

/** A message needs no type. */
export function typeOf(item: JsonObject): string {
  return textField(item, 'type') ?? (item.role === undefined ? '' : 'message');
}

/** The body of a request as a conversation: what the model has said between two others is one message. */
export function parseItems(body: JsonObject): ModelRequest {
  const items = itemsOf(body);
  const system = items.filter(isSystem).map(({ content }) => textOf(content));
  const model = textField(body, 'model') ?? '';
  return {
    model,
    system: [textField(body, 'instructions') ?? '', ...system].filter(Boolean).join('\n'),
    messages: messagesOf(
      items.filter((item) => !isSystem(item)),
      model,
    ),
    tools: objectsIn(body.tools).flatMap(readTool),
    params: {},
  };
}

function isSystem(item: JsonObject): boolean {
  return typeOf(item) === 'message' && SYSTEM.includes(item.role ?? null);
}

function messagesOf(items: readonly JsonObject[], model: string): readonly Message[] {
  const names = new Map(
    items.filter((item) => item.type === 'function_call').map((call) => [call.call_id ?? '', textField(call, 'name') ?? '']),
  );
  const messages: Message[] = [];
  let own: JsonObject[] = [];
  const flush = (): void => {
    if (own.length > 0) messages.push(assistant(own, model));
    own = [];
  };
  for (const item of items) {
    if (OWN.includes(typeOf(item)) || item.role === 'assistant') own.push(item);
    else {
      flush();
      messages.push(typeOf(item) === 'function_call_output' ? result(item, names) : { role: 'user', content: contentOf(item.content) });
    }
  }
  flush();
  return messages;
}

function assistant(items: readonly JsonObject[], model: string): AssistantMessage {
  const content = items.flatMap((item): AssistantMessage['content'] => {
    if (item.role === 'assistant') return [{ type: 'text', text: textOf(item.content) }];
    return item.type === 'reasoning' ? [{ type: 'replay', provider: 'openai', model, data: item }] : [];
  });
  return { role: 'assistant', content, toolCalls: items.filter(({ type }) => type === 'function_call').map(readCall) };
}

function readCall(item: JsonObject): ToolCall {
  return {
    id: textField(item, 'call_id') ?? '',
    name: textField(item, 'name') ?? '',
    ...readArguments(textField(item, 'arguments') ?? ''),
  };
}

function result(item: JsonObject, names: ReadonlyMap<JsonValue, string>): ToolMessage {
  const content = contentOf(item.output);
  return {
    role: 'tool',
    toolCallId: textField(item, 'call_id') ?? '',
    toolName: names.get(item.call_id ?? '') ?? '',
    content,
    isError: /^(error|execution failed)\b/i.test(textOf(item.output)),
  };
}

function contentOf(content: JsonValue | undefined): readonly (TextContent | ImageContent)[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return objectsIn(content).flatMap((part): readonly (TextContent | ImageContent)[] => {
    const [, mimeType, data] = /^data:([^;]+);base64,(.*)$/s.exec(textField(part, 'image_url') ?? '') ?? [];
    if (mimeType !== undefined && data !== undefined) return [{ type: 'image', mimeType, data }];
    return typeof part.text === 'string' ? [{ type: 'text', text: textField(part, 'text') ?? '' }] : [];
  });
}

function textOf(content: JsonValue | undefined): string {
  return contentOf(content)
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
}

function readTool(tool: JsonObject): ModelRequest['tools'] {
  if (tool.type !== 'function') return [];
  return [
    {
      name: textField(tool, 'name') ?? '',
      description: textField(tool, 'description') ?? '',
      parameters: objectField(tool, 'parameters') ?? { type: 'object' },
    },
  ];
}

/** Whether encrypted reasoning is asked for. */
export function wantsEncrypted(body: JsonObject): boolean {
  return listField(body, 'include').includes('reasoning.encrypted_content');
}
