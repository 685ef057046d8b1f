import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { textField } from '../wire/json-fields.js';

/** A block to be replayed of thinking that was signed. */
export function thinkingBlock(thinking: string, signature: string): JsonObject {
  return { type: 'thinking', thinking, signature };
}

/** The same of thinking that is not shown. */
export function redactedBlock(data: string): JsonObject {
  return { type: 'redacted_thinking', data };
}

/** As a message of the history carries such a block; undefined when it is none. */
export function reasoningContent(block: JsonValue): JsonObject | undefined {
  if (!isJsonObject(block)) return undefined;
  const [signature, data] = [textField(block, 'signature'), textField(block, 'data')];
  if (block.type === 'thinking' && signature) return { reasoningText: { text: textField(block, 'thinking') ?? '', signature } };
  return block.type === 'redacted_thinking' && data ? { redactedContent: data } : undefined;
}
