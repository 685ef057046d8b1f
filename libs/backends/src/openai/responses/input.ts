import type { AssistantMessage, ImageContent, JsonObject, JsonValue, ModelRequest, ReplayBlock, TextContent } from '#model';
import { conversationSteps, type CallResult } from '../../wire/conversation-steps.js';
import { WireIds } from '../../wire/wire-ids.js';
import { argumentTextOf } from '../argument-text.js';
import { replayedIn } from './replay.js';

/** The conversation as items. Blocks to be replayed go back only to whom they come from. */
export function inputItems({ model, messages }: ModelRequest, provider: string): readonly JsonObject[] {
  const ids = new WireIds();
  const isOurs = (block: ReplayBlock): boolean => block.provider === provider && block.model === model;
  return conversationSteps(messages).flatMap((step) => {
    if (step.role === 'user') return [userItem(step.content)];
    const results = step.results.map((result) => ({ ...result, id: ids.claim(result.call.id) }));
    return [...assistantItems(step.message, results, isOurs), ...results.map(resultItem)];
  });
}

type SentResult = CallResult & { readonly id: string };

function userItem(content: readonly (TextContent | ImageContent)[]): JsonObject {
  const parts = content.filter((part) => part.type === 'image' || part.text !== '').map(inputPart);
  return { type: 'message', role: 'user', content: parts.length > 0 ? parts : [inputPart({ type: 'text', text: '(empty)' })] };
}

/** Calls stand at the end, or where a block says that they stood. Reasoning that nothing follows is refused. */
function assistantItems(
  { content }: AssistantMessage,
  results: readonly SentResult[],
  isOurs: (block: ReplayBlock) => boolean,
): readonly JsonObject[] {
  const calls = results.map(callItem);
  const items: JsonObject[] = [];
  let sent = 0;
  let phase: string | undefined;
  for (const part of content) {
    const replayed = part.type === 'replay' && isOurs(part) ? replayedIn(part.data) : undefined;
    if (part.type === 'text' && part.text !== '') items.push(textItem(part.text, phase));
    else if (replayed?.kind === 'item') items.push(replayed.item);
    else if (replayed?.kind === 'phase') phase = replayed.phase;
    else if (replayed?.kind === 'calls') {
      items.push(...calls.slice(sent, replayed.before));
      sent = Math.max(sent, replayed.before);
    }
  }
  const all = [...items, ...calls.slice(sent)];
  return all.slice(0, all.findLastIndex(({ type }) => type !== 'reasoning') + 1);
}

function textItem(text: string, phase: string | undefined): JsonObject {
  return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }], ...(phase === undefined ? {} : { phase }) };
}

function callItem({ id, call }: SentResult): JsonObject {
  return { type: 'function_call', call_id: id, name: call.name, arguments: argumentTextOf(call) };
}

function resultItem({ id, content }: SentResult): JsonObject {
  return { type: 'function_call_output', call_id: id, output: outputOf(content) };
}

/** Plain text where there is no image. */
function outputOf(content: CallResult['content']): JsonValue {
  if (content.some(({ type }) => type === 'image')) return content.map(inputPart);
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n') || '(no output)';
}

function inputPart(part: TextContent | ImageContent): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  return { type: 'input_image', image_url: `data:${part.mimeType};base64,${part.data}`, detail: 'auto' };
}
