import {
  isJsonObject,
  jsonIn,
  type JsonObject,
  type JsonValue,
  type Message,
  type ResultTier,
  type ToolCall,
  type ToolContent,
} from '#model';
import type { BlobStore } from '#store';
import { listOf, textOf } from './kept-values.js';

/** Parts with more bytes are kept as blobs. */
const LARGEST_PART = 64 * 1024;
const TIERS = ['hot', 'warm', 'cold'] as const;
const GONE = '[this part is no longer kept]';

type Part = Message['content'][number];
/** Where large parts go; undefined: they stay in the message. */
type Blobs = BlobStore | undefined;

/** A message as it is written to disk, with the names that OpenAI's messages have. Throws as the blob store does. */
export function keptMessage(message: Message, blobs: Blobs): JsonObject {
  const content = keptContent(message.content, blobs);
  switch (message.role) {
    case 'user':
      return { role: 'user', content };
    case 'assistant':
      return { role: 'assistant', content, ...(message.toolCalls.length > 0 && { tool_calls: message.toolCalls.map(keptCall) }) };
    case 'tool':
      return {
        role: 'tool',
        tool_call_id: message.toolCallId,
        name: message.toolName,
        content,
        is_error: message.isError,
        ...tierForm(message.tier),
      };
  }
}

/** The message that was kept; undefined for what is none. */
export function messageOf(kept: JsonValue | undefined, blobs: Blobs): Message | undefined {
  if (!isJsonObject(kept)) return undefined;
  const parts = partsOf(kept.content, blobs);
  switch (textOf(kept.role)) {
    case 'user':
      return { role: 'user', content: parts.filter((part) => part.type !== 'replay') };
    case 'assistant':
      return {
        role: 'assistant',
        content: parts.filter((part) => part.type !== 'image'),
        toolCalls: listOf(kept.tool_calls).flatMap(callOf),
      };
    case 'tool':
      return {
        role: 'tool',
        toolCallId: textOf(kept.tool_call_id),
        toolName: textOf(kept.name),
        content: parts.filter((part): part is ToolContent => part.type !== 'replay'),
        isError: kept.is_error === true,
        ...tierForm(TIERS.find((tier) => tier === kept.tier)),
      };
    default:
      return undefined;
  }
}

function tierForm(tier: ResultTier | undefined): { readonly tier?: ResultTier } {
  return tier === undefined ? {} : { tier };
}

/** One text is the content itself. */
function keptContent(parts: readonly Part[], blobs: Blobs): JsonValue {
  const kept = parts.map((part) => keptPart(part, blobs));
  const [only] = kept;
  return kept.length === 1 && only?.type === 'text' && only.text !== undefined ? only.text : kept;
}

function keptPart(part: Part, blobs: Blobs): JsonObject {
  if (blobs && part.type === 'image') return { type: 'image', mimeType: part.mimeType, blob: blobs.put(Buffer.from(part.data, 'base64')) };
  const isLarge = part.type === 'text' && part.text.length > LARGEST_PART;
  return blobs && isLarge ? { type: 'text', blob: blobs.put(Buffer.from(part.text, 'utf8')) } : { ...part };
}

function partsOf(content: JsonValue | undefined, blobs: Blobs): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).flatMap((part) => (isJsonObject(part) ? partOf(part, blobs) : []));
}

function partOf(part: JsonObject, blobs: Blobs): readonly Part[] {
  if (part.type === 'replay') {
    return [{ type: 'replay', provider: textOf(part.provider), model: textOf(part.model), data: part.data ?? null }];
  }
  const bytes = typeof part.blob === 'string' ? blobs?.find(part.blob) : undefined;
  if (part.blob !== undefined && bytes === undefined) return [{ type: 'text', text: GONE }];
  if (part.type === 'image')
    return [{ type: 'image', mimeType: textOf(part.mimeType), data: bytes?.toString('base64') ?? textOf(part.data) }];
  return [{ type: 'text', text: bytes?.toString('utf8') ?? textOf(part.text) }];
}

/** The arguments are kept beside their text only where that does not say them. */
function keptCall({ id, name, arguments: input, rawArguments, argumentsError }: ToolCall): JsonObject {
  const call = { id, type: 'function', function: { name, arguments: rawArguments } };
  return { ...call, ...(!objectIn(rawArguments) && { input }), ...(argumentsError !== undefined && { error: argumentsError }) };
}

function callOf(kept: JsonValue): readonly ToolCall[] {
  if (!isJsonObject(kept) || !isJsonObject(kept.function)) return [];
  const rawArguments = textOf(kept.function.arguments);
  const input = isJsonObject(kept.input) ? kept.input : (objectIn(rawArguments) ?? {});
  const call = { id: textOf(kept.id), name: textOf(kept.function.name), arguments: input, rawArguments };
  return [{ ...call, ...(typeof kept.error === 'string' && { argumentsError: kept.error }) }];
}

function objectIn(text: string): JsonObject | undefined {
  const value = jsonIn(text);
  return isJsonObject(value) ? value : undefined;
}
