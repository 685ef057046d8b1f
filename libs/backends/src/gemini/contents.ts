import type { AssistantMessage, ImageContent, JsonObject, ModelRequest, ReplayBlock, TextContent, ToolCall, ToolContent } from '#model';
import { conversationSteps, type CallResult } from '../wire/conversation-steps.js';
import type { Family } from './families.js';
import { callSignatures, signedPart } from './signatures.js';

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/heic', 'image/heif'];
/** In the place of a signature that there is none of: Google lets a call pass with it that another model has made. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

type Content = {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonObject[];
};

/**
 * The conversation as contents that begin with the user's. The results of a turn stand alone in the content behind it.
 * Signatures go back only to whom they come from, each on its own part.
 */
export function contentsOf(request: ModelRequest, provider: string, family: Family): readonly Content[] {
  const isOurs = (block: ReplayBlock): boolean => block.provider === provider && block.model === request.model;
  const contents: Content[] = [];
  for (const step of conversationSteps(request.messages)) {
    if (step.role === 'user') addTo(contents, { role: 'user', parts: userParts(step.content) });
    else {
      addTo(contents, { role: 'model', parts: modelParts(step.message, isOurs, family) });
      contents.push(...resultContents(step.results, family));
    }
  }
  return contents[0]?.role === 'model' ? [{ role: 'user', parts: [text('(continued)')] }, ...contents] : contents;
}

/** What has no parts is none. */
function addTo(contents: Content[], { role, parts }: Content): void {
  const last = contents.at(-1);
  if (parts.length === 0) return;
  if (last?.role === role && !last.parts.some(isResult)) contents[contents.length - 1] = { role, parts: [...last.parts, ...parts] };
  else contents.push({ role, parts });
}

function isResult(part: JsonObject): boolean {
  return part.functionResponse !== undefined;
}

function userParts(content: readonly (TextContent | ImageContent)[]): readonly JsonObject[] {
  const parts = content.flatMap(shown);
  return parts.length > 0 ? parts : [text('(empty)')];
}

function modelParts(message: AssistantMessage, isOurs: (block: ReplayBlock) => boolean, family: Family): readonly JsonObject[] {
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
  const own = signed.part.thought === true ? undefined : signed.part.text;
  if (typeof own === 'string') takeFromEnd(parts, own);
  parts.push(signed.part);
  return behind;
}

/** The text of a signed part has been shown with the text before it; it goes back once. */
function takeFromEnd(parts: JsonObject[], end: string): void {
  const last = parts.at(-1);
  if (end === '' || typeof last?.text !== 'string' || last.thoughtSignature !== undefined || !last.text.endsWith(end)) return;
  const left = last.text.slice(0, last.text.length - end.length);
  parts.splice(-1, 1, ...(left === '' ? [] : [text(left)]));
}

/** Of calls made together one signature is enough; without any the first gets what stands for none. */
function callParts(calls: readonly ToolCall[], signatures: ReadonlyMap<string, string>, { isStrict }: Family): readonly JsonObject[] {
  const isUnsigned = isStrict && !calls.some(({ id }) => signatures.has(id));
  return calls.map(({ id, name, arguments: args }, at) => {
    const thoughtSignature = signatures.get(id) ?? (isUnsigned && at === 0 ? NO_SIGNATURE : undefined);
    return { functionCall: { ...(isStrict && { id }), name, args }, ...(thoughtSignature !== undefined && { thoughtSignature }) };
  });
}

/** Images that a result may not hold follow as the user's. */
function resultContents(results: readonly CallResult[], { isStrict }: Family): readonly Content[] {
  if (results.length === 0) return [];
  const parts = results.map((result) => resultPart(result, isStrict));
  const images = isStrict ? [] : results.flatMap(({ call, content }) => imagesOf(call, content));
  return [{ role: 'user', parts }, ...(images.length > 0 ? [{ role: 'user' as const, parts: images }] : [])];
}

function resultPart({ call: { id, name }, content, isError }: CallResult, isStrict: boolean): JsonObject {
  const images = isStrict ? content.flatMap((part) => (isImage(part) ? [inline(part)] : [])) : [];
  const output = content.flatMap((part) => (isImage(part) ? [] : [said(part)])).join('\n');
  return {
    functionResponse: {
      ...(isStrict && { id }),
      name,
      response: isError ? { error: output } : { output },
      ...(images.length > 0 && { parts: images }),
    },
  };
}

function imagesOf({ name }: ToolCall, content: readonly ToolContent[]): readonly JsonObject[] {
  const images = content.filter(isImage).map(inline);
  return images.length > 0 ? [text(`Images of the result of ${name}:`), ...images] : [];
}

function isImage(part: ToolContent): part is ImageContent {
  return part.type === 'image' && IMAGE_TYPES.includes(part.mimeType);
}

/** Empty text is refused. */
function shown(part: ToolContent): readonly JsonObject[] {
  if (isImage(part)) return [inline(part)];
  const value = said(part);
  return value === '' ? [] : [text(value)];
}

function said(part: ToolContent): string {
  return part.type === 'text' ? part.text : `[image: ${part.mimeType}, not shown]`;
}

function inline({ mimeType, data }: ImageContent): JsonObject {
  return { inlineData: { mimeType, data } };
}

function text(value: string): JsonObject {
  return { text: value };
}
