import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { numberField, textField } from '../../wire/json-fields.js';

/** What a block to be replayed says: an item as it came, the phase of the text behind it, how many calls stand before it. */
export type Replayed =
  | { readonly kind: 'item'; readonly item: JsonObject }
  | { readonly kind: 'phase'; readonly phase: string }
  | { readonly kind: 'calls'; readonly before: number };

/** The data of a block. */
export function replayData(replayed: Replayed): JsonValue {
  switch (replayed.kind) {
    case 'item':
      return replayed.item;
    case 'phase':
      return { type: 'phase', phase: replayed.phase };
    case 'calls':
      return { type: 'calls', before: replayed.before };
  }
}

/** Undefined for data of another kind. */
export function replayedIn(data: JsonValue): Replayed | undefined {
  if (!isJsonObject(data)) return undefined;
  if (data.type === 'phase') return { kind: 'phase', phase: textField(data, 'phase') ?? '' };
  if (data.type === 'calls') return { kind: 'calls', before: numberField(data, 'before') ?? 0 };
  return data.type === 'reasoning' ? { kind: 'item', item: data } : undefined;
}
