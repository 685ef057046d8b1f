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
  UserMessage,
} from '#model';
import { wellFormed } from '../wire/well-formed.js';

const ESCAPED_SURROGATE = /\\u[dD][89a-fA-F]/;

/**
 * The conversation as chat messages. Results directly follow their calls; the images of results, which a tool message
 * cannot hold, come in a user message behind them.
 */
export function chatMessages({ system, messages }: ModelRequest): readonly JsonObject[] {
  const out: JsonObject[] = system === '' ? [] : [{ role: 'system', content: wellFormed(system) }];
  let images: ImageContent[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') images = flush(images, out);
    out.push(chatMessage(message));
    if (message.role === 'tool') images.push(...message.content.filter(isImage));
  }
  flush(images, out);
  return out;
}

function flush(images: readonly ImageContent[], out: JsonObject[]): ImageContent[] {
  if (images.length > 0) out.push({ role: 'user', content: [textPart('Images of the tool results above:'), ...images.map(imagePart)] });
  return [];
}

function chatMessage(message: Message): JsonObject {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: userContent(message) };
    case 'assistant':
      return assistant(message);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: toolText(message) };
  }
}

/** Plain text where there is only one, because not every server takes parts. */
function userContent({ content }: UserMessage): JsonValue {
  const parts = content.filter((part) => part.type === 'image' || part.text !== '');
  const [first] = parts;
  if (parts.length === 1 && first?.type === 'text') return wellFormed(first.text);
  return parts.map((part) => (part.type === 'text' ? textPart(part.text) : imagePart(part)));
}

function assistant({ content, toolCalls }: AssistantMessage): JsonObject {
  const text = wellFormed(content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(toolCalls.length > 0 ? { tool_calls: toolCalls.map(chatCall) } : {}),
  };
}

function chatCall(call: ToolCall): JsonObject {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: argumentText(call) } };
}

/** Servers parse what is sent back: broken JSON becomes `{}` (its result says what was wrong), lone surrogates go. */
function argumentText({ arguments: object, rawArguments, argumentsError }: ToolCall): string {
  if (argumentsError !== undefined) return '{}';
  return ESCAPED_SURROGATE.test(rawArguments)
    ? JSON.stringify(object, (_key, value: unknown) => (typeof value === 'string' ? wellFormed(value) : value))
    : wellFormed(rawArguments);
}

function toolText({ content }: ToolMessage): string {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[image: ${part.mimeType}, shown below]`)).join('\n');
  return text === '' ? '(no output)' : wellFormed(text);
}

function isImage(part: TextContent | ImageContent): part is ImageContent {
  return part.type === 'image';
}

function textPart(text: string): JsonObject {
  return { type: 'text', text: wellFormed(text) };
}

function imagePart({ mimeType, data }: ImageContent): JsonObject {
  return { type: 'image_url', image_url: { url: `data:${mimeType};base64,${data}` } };
}
