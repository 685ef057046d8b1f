import {
  isJsonObject,
  type AssistantMessage,
  type ImageContent,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type TextContent,
  type ToolContent,
} from '#model';
import { conversationSteps, type CallResult } from '../wire/conversation-steps.js';
import { wellFormed } from '../wire/well-formed.js';
import { argumentTextOf } from './argument-text.js';
import type { Server } from './server.js';
import { toolIds } from './tool-ids.js';

type Content = readonly (TextContent | ImageContent)[];
type SentResult = CallResult & { readonly id: string };

/**
 * The conversation as chat messages. Results directly follow their calls; the images of results, which a tool message
 * mostly cannot hold, come in a user message behind them. Reasoning goes back only to whom it comes from.
 */
export function chatMessages({ model, system, messages }: ModelRequest, server: Server, systemRole: string): readonly JsonObject[] {
  const claim = toolIds(server.quirks.toolIds);
  const conversation = conversationSteps(messages).flatMap((step) => {
    if (step.role === 'user') return [{ role: 'user', content: userContent(step.content) }];
    const results = step.results.map((result) => ({ ...result, id: claim(result.call.id) }));
    return [assistant(step.message, results, { model, server }), ...toolMessages(results, server.quirks.toolImages)];
  });
  return system === '' ? conversation : [{ role: systemRole, content: wellFormed(system) }, ...conversation];
}

/** Plain text where there is only one, because not every server takes parts. */
function userContent(content: Content): JsonValue {
  const parts = content.filter((part) => part.type === 'image' || part.text !== '');
  const [first] = parts;
  if (!first) return '(empty)';
  if (parts.length === 1 && first.type === 'text') return wellFormed(first.text);
  return parts.map(contentPart);
}

function assistant(message: AssistantMessage, results: readonly SentResult[], whose: { model: string; server: Server }): JsonObject {
  const text = wellFormed(message.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
  const hasCalls = results.length > 0;
  return {
    role: 'assistant',
    content: text === '' && hasCalls ? null : text,
    ...reasoningBack(message, hasCalls, whose),
    ...(hasCalls ? { tool_calls: results.map(chatCall) } : {}),
  };
}

/** A server that wants the text of its reasoning back misses it beside calls, also where there was none. */
function reasoningBack({ content }: AssistantMessage, hasCalls: boolean, { model, server }: { model: string; server: Server }): JsonObject {
  const field = server.quirks.replay;
  if (field === 'none') return {};
  for (const part of content) {
    const isOurs = part.type === 'replay' && part.provider === server.name && part.model === model;
    if (isOurs && isJsonObject(part.data) && part.data[field] !== undefined) return part.data;
  }
  return field === 'reasoning_content' && hasCalls ? { reasoning_content: '' } : {};
}

function chatCall({ id, call }: SentResult): JsonObject {
  return { id, type: 'function', function: { name: call.name, arguments: argumentTextOf(call) } };
}

function toolMessages(results: readonly SentResult[], place: Server['quirks']['toolImages']): readonly JsonObject[] {
  const tools = results.map(({ id, content }): JsonObject => {
    const isWhole = place === 'tool_message' && content.some(isImage);
    return { role: 'tool', tool_call_id: id, content: isWhole ? content.map(contentPart) : toolText(content, place) };
  });
  const images = place === 'user_message' ? results.flatMap(({ content }) => content.filter(isImage)) : [];
  if (images.length === 0) return tools;
  return [...tools, { role: 'user', content: [textPart('Images of the tool results above:'), ...images.map(contentPart)] }];
}

function toolText(content: readonly ToolContent[], place: Server['quirks']['toolImages']): string {
  const where = place === 'user_message' ? 'shown below' : 'not shown';
  const text = content.map((part) => (part.type === 'text' ? part.text : `[image: ${part.mimeType}, ${where}]`)).join('\n');
  return text === '' ? '(no output)' : wellFormed(text);
}

function isImage(part: TextContent | ImageContent): part is ImageContent {
  return part.type === 'image';
}

function contentPart(part: TextContent | ImageContent): JsonObject {
  if (part.type === 'text') return textPart(part.text);
  return { type: 'image_url', image_url: { url: `data:${part.mimeType};base64,${part.data}` } };
}

function textPart(text: string): JsonObject {
  return { type: 'text', text: wellFormed(text) };
}
