import type { JsonObject } from '#model';
import { textField } from '../../../wire/json-fields.js';
import { invalid } from '../openai-rules.js';
import type { Seen, Violation } from '../rules.js';
import { encryptedContent, isReasoningId, reasoningBefore } from './item-ids.js';
import { typeOf } from './parse-items.js';

/** Reasoning that the model has not written, or that stands alone; or what came of it without it. Where it is stored its id is enough. */
export function reasoningViolation(items: readonly JsonObject[], { body, model }: Seen): Violation | undefined {
  for (const [index, item] of items.entries()) {
    const path = `input[${index}]`;
    const found =
      item.type === 'reasoning'
        ? reasoning(item, { path, model, next: items[index + 1], isStored: body.store !== false })
        : orphan(item, items.slice(0, index), path);
    if (found) return found;
  }
  return undefined;
}

interface ReasoningPlace {
  readonly path: string;
  readonly model: string;
  readonly next: JsonObject | undefined;
  readonly isStored: boolean;
}

function reasoning(item: JsonObject, { path, model, next, isStored }: ReasoningPlace): Violation | undefined {
  const id = textField(item, 'id') ?? '';
  const secret = item.encrypted_content;
  if (typeof secret !== 'string' && !(isStored && isReasoningId(id))) return invalid(path, notStored(id, path), '');
  if (typeof secret === 'string' && secret !== encryptedContent(model, id)) {
    const why = 'Reason: Encrypted content could not be decrypted or parsed.';
    return invalid(path, `The encrypted content for item ${id} could not be verified. ${why} (${path})`, 'invalid_encrypted_content');
  }
  if (next !== undefined && (next.type === 'function_call' || next.role === 'assistant' || next.type === 'reasoning')) return undefined;
  return invalid(path, `Item '${id}' of type 'reasoning' was provided without its required following item. (${path})`, '');
}

function notStored(id: string, path: string): string {
  const how = 'Try again with `store` set to true, or remove this item from your input.';
  return `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. ${how} (${path})`;
}

function orphan(item: JsonObject, before: readonly JsonObject[], path: string): Violation | undefined {
  const id = textField(item, 'id') ?? '';
  const wanted = reasoningBefore(id);
  if (wanted === undefined || before.some((one) => one.type === 'reasoning' && one.id === wanted)) return undefined;
  return invalid(
    path,
    `Item '${id}' of type '${typeOf(item)}' was provided without its required 'reasoning' item: '${wanted}'. (${path})`,
    '',
  );
}
