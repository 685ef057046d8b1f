import { isJsonObject, type AssistantMessage, type JsonObject, type JsonValue, type ReplayBlock } from '#model';
import { numberField, textField } from '../wire/json-fields.js';

/**
 * What is kept of the signatures of an answer: for a call `{callId, thoughtSignature}`, for any other part the part itself,
 * with `afterCalls` when so many calls came before it.
 */
export type SignedPart =
  { readonly callId: string; readonly thoughtSignature: string } | { readonly part: JsonObject; readonly afterCalls: number };

export function callSignature(callId: string, thoughtSignature: string): JsonObject {
  return { callId, thoughtSignature };
}

export function partSignature(part: JsonObject, afterCalls: number): JsonObject {
  return afterCalls > 0 ? { ...part, afterCalls } : part;
}

/** Undefined for what this is not. */
export function signedPart(data: JsonValue): SignedPart | undefined {
  if (!isJsonObject(data)) return undefined;
  const thoughtSignature = textField(data, 'thoughtSignature');
  if (thoughtSignature === undefined) return undefined;
  const callId = textField(data, 'callId');
  if (callId !== undefined) return { callId, thoughtSignature };
  const { afterCalls: _count, ...part } = data;
  return { part, afterCalls: numberField(data, 'afterCalls') ?? 0 };
}

/** The signatures in a message that came from whom it goes to, by the ids of calls. */
export function callSignatures({ content }: AssistantMessage, isOurs: (block: ReplayBlock) => boolean): ReadonlyMap<string, string> {
  const parts = content.flatMap((part) => (part.type === 'replay' && isOurs(part) ? [signedPart(part.data)] : []));
  return new Map(parts.flatMap((part) => (part && 'callId' in part ? [[part.callId, part.thoughtSignature] as const] : [])));
}
