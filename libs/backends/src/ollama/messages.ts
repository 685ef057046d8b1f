import type { AssistantMessage, ImageContent, JsonObject, ModelRequest, TextContent, ToolContent } from '#model';
import { conversationSteps, type CallResult, type ConversationStep } from '../wire/conversation-steps.js';
import { thinkingIn } from './thinking-block.js';

type Part = AssistantMessage['content'][number] | ImageContent;

/** The conversation. Images of results, which a tool message has no place for, come in a user message behind them. */
export function chatMessages({ system, messages, model }: ModelRequest, provider: string): readonly JsonObject[] {
  const steps = conversationSteps(messages).flatMap((step) => stepMessages(step, { provider, model }));
  return system.trim() === '' ? steps : [{ role: 'system', content: system }, ...steps];
}

function stepMessages(step: ConversationStep, whose: { readonly provider: string; readonly model: string }): readonly JsonObject[] {
  if (step.role === 'user') return [userMessage(step.content)];
  const { message, results } = step;
  const [content, thinking] = [textOf(message.content), thinkingIn(message.content, whose)];
  if (content.trim() === '' && results.length === 0) return [];
  const calls = results.map(({ call }): JsonObject => ({ function: { name: call.name, arguments: call.arguments } }));
  const own = { role: 'assistant', content, ...(thinking ? { thinking } : {}), ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  return [own, ...results.map(toolMessage), ...shownImages(results.flatMap((result) => result.content))];
}

function userMessage(parts: readonly ToolContent[]): JsonObject {
  const images = parts.filter(isImage).map(({ data }) => data);
  return { role: 'user', content: textOf(parts), ...(images.length > 0 ? { images } : {}) };
}

/** The server tells results apart by the name of their tool and their order. */
function toolMessage({ call, content }: CallResult): JsonObject {
  const text = content.map((part) => (part.type === 'text' ? part.text : `[image: ${part.mimeType}, shown below]`)).join('\n');
  return { role: 'tool', tool_name: call.name, content: text === '' ? '(no output)' : text };
}

function shownImages(content: readonly ToolContent[]): readonly JsonObject[] {
  const images = content.filter(isImage);
  return images.length > 0 ? [userMessage([{ type: 'text', text: 'Images of the tool results above:' }, ...images])] : [];
}

function textOf(parts: readonly Part[]): string {
  return parts
    .filter((part): part is TextContent => part.type === 'text')
    .map(({ text }) => text)
    .join('\n');
}

function isImage(part: Part): part is ImageContent {
  return part.type === 'image';
}
