import type { AssistantMessage, JsonObject, JsonValue, ReplayBlock, ToolCall } from '#model';
import type { Family } from './families.js';
import { shown, text } from './parts.js';
import { callSignatures, signedPart } from './signatures.js';

/** In the place of a signature that there is none of: Google lets a call pass with it that another model has made. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

/** The parts of an answer of the model: text, signed parts and calls in the order that they came in. */
export function modelParts(message: AssistantMessage, isOurs: (block: ReplayBlock) => boolean, family: Family): readonly JsonObject[] {
  const calls = callParts(message.toolCalls, callSignatures(message, isOurs), family);
  const parts: JsonObject[] = [];
  let given = 0;
  for (const part of message.content) {
    if (part.type === 'text') parts.push(...shown(part));
    else if (isOurs(part)) given = addSigned(parts, part, calls, given);
  }
  return [...parts, ...calls.slice(given)];
}

/** Adds a signed part, behind the calls that came before it; how many calls are there then. */
function addSigned(parts: JsonObject[], { data }: ReplayBlock, calls: readonly JsonObject[], given: number): number {
  const signed = signedPart(data);
  if (!signed || 'callId' in signed) return given;
  const behind = Math.max(given, signed.afterCalls);
  parts.push(...calls.slice(given, behind));
  if (signed.part.thought === true || takeFromEnd(parts, signed.part.text)) parts.push(signed.part);
  return behind;
}

/**
 * The text of a signed part has been shown with the text before it: it goes back once. False when it is there no more,
 * because somebody has changed it: then the signature is for nothing.
 */
function takeFromEnd(parts: JsonObject[], end: JsonValue | undefined): boolean {
  if (typeof end !== 'string' || end.trim() === '') return true;
  const last = parts.at(-1);
  if (typeof last?.text !== 'string' || last.thoughtSignature !== undefined || !last.text.endsWith(end)) return false;
  const left = last.text.slice(0, last.text.length - end.length);
  parts.splice(-1, 1, ...(left === '' ? [] : [text(left)]));
  return true;
}

/** Of calls made together one signature is enough; without any the first gets what stands for none. */
function callParts(calls: readonly ToolCall[], signatures: ReadonlyMap<string, string>, { isStrict }: Family): readonly JsonObject[] {
  const isUnsigned = isStrict && !calls.some(({ id }) => signatures.has(id));
  return calls.map(({ id, name, arguments: args }, at) => {
    const thoughtSignature = signatures.get(id) ?? (isUnsigned && at === 0 ? NO_SIGNATURE : undefined);
    return { functionCall: { ...(isStrict && { id }), name, args }, ...(thoughtSignature !== undefined && { thoughtSignature }) };
  });
}
