import type { ImageContent, JsonObject, ModelRequest, ReplayBlock, TextContent, ToolCall, ToolContent } from '#model';
import { conversationSteps, type CallResult } from '../wire/conversation-steps.js';
import type { Family } from './families.js';
import { modelParts } from './model-parts.js';
import { inline, isImage, said, shown, text } from './parts.js';

type Content = {
  readonly role: 'user' | 'model';
  readonly parts: JsonObject[];
};

/**
 * The conversation as contents that begin with the user's. The results of a turn stand alone in the content behind it.
 * Signatures go back only to whom they come from, each on its own part.
 */
export function contentsOf(request: ModelRequest, provider: string, family: Family): readonly Content[] {
  const isOurs = (block: ReplayBlock): boolean => block.provider === provider && block.model === request.model;
  const contents: Content[] = [];
  for (const step of conversationSteps(request.messages)) {
    if (step.role === 'user') add(contents, 'user', userParts(step.content));
    else {
      add(contents, 'model', modelParts(step.message, isOurs, family));
      addResults(contents, step.results, family);
    }
  }
  return contents[0]?.role === 'model' ? [{ role: 'user', parts: [text('(continued)')] }, ...contents] : contents;
}

/** What has no parts is none. Where one part is a result all are. */
function add(contents: Content[], role: Content['role'], parts: readonly JsonObject[]): void {
  const last = contents.at(-1);
  if (last?.role === role && last.parts[0]?.functionResponse === undefined) last.parts.push(...parts);
  else if (parts.length > 0) contents.push({ role, parts: [...parts] });
}

function userParts(content: readonly (TextContent | ImageContent)[]): readonly JsonObject[] {
  const parts = content.flatMap(shown);
  return parts.length > 0 ? parts : [text('(empty)')];
}

/** Images that a result may not hold follow as the user's. */
function addResults(contents: Content[], results: readonly CallResult[], { isStrict }: Family): void {
  add(
    contents,
    'user',
    results.map((result) => resultPart(result, isStrict)),
  );
  if (!isStrict)
    add(
      contents,
      'user',
      results.flatMap(({ call, content }) => imagesOf(call, content)),
    );
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
