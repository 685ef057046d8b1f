import {
  isJsonObject,
  type AssistantMessage,
  type ImageContent,
  type JsonObject,
  type ModelRequest,
  type ReplayBlock,
  type TextContent,
  type ToolMessage,
  type UserMessage,
} from '#model';
import type { WireMessage } from './cache-marks.js';
import { WireIds } from '../wire/wire-ids.js';

const IMAGE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/**
 * The conversation in turns that alternate and begin with the user's. Each call has exactly one result, and the results of
 * a turn stand together at the start of the message behind it. Blocks to be replayed go back only to whom they come from.
 */
export function wireMessages(request: ModelRequest, provider: string): readonly WireMessage[] {
  const turns = new Turns((block) => block.provider === provider && block.model === request.model);
  for (const message of request.messages) {
    if (message.role === 'tool') turns.result(message);
    else if (message.role === 'user') turns.user(message);
    else turns.assistant(message);
  }
  return turns.finish();
}

class Turns {
  private readonly turns: { readonly role: WireMessage['role']; readonly content: JsonObject[] }[] = [];
  private readonly ids = new WireIds();
  /** Calls that have no result yet: their ids, and those of the wire. */
  private open: readonly { readonly id: string; readonly own: string }[] = [];

  constructor(private readonly isOurs: (block: ReplayBlock) => boolean) {}

  user({ content }: UserMessage): void {
    this.closeCalls();
    const blocks = content.flatMap(contentBlocks);
    this.add('user', blocks.length > 0 ? blocks : [text('(empty)')]);
  }

  assistant({ content, toolCalls }: AssistantMessage): void {
    this.closeCalls();
    const blocks = content.flatMap((part) => this.assistantBlocks(part));
    this.open = toolCalls.map(({ id }) => ({ id, own: this.ids.claim(id) }));
    const calls = toolCalls.map(({ name, arguments: input }, at): JsonObject => {
      return { type: 'tool_use', id: this.open[at]?.own ?? '', name, input };
    });
    // Thinking alone is no answer, and is refused as the last block.
    if (calls.length > 0 || blocks.some(({ type }) => type === 'text')) this.add('assistant', [...blocks, ...calls]);
  }

  result({ toolCallId, toolName, content, isError }: ToolMessage): void {
    const call = this.open.find(({ id }) => id === toolCallId);
    this.open = this.open.filter((one) => one !== call);
    const blocks = content.flatMap(contentBlocks);
    const shown = blocks.length > 0 ? blocks : [text('(no output)')];
    if (call) this.addResult(call.own, shown, isError);
    else this.add('user', [text(`Result of an earlier call of ${toolName}:`), ...shown]);
  }

  finish(): readonly WireMessage[] {
    this.closeCalls();
    return this.turns[0]?.role === 'assistant' ? [{ role: 'user', content: [text('(continued)')] }, ...this.turns] : this.turns;
  }

  private closeCalls(): void {
    for (const { own } of this.open) this.addResult(own, [text('(the call was not run)')], true);
    this.open = [];
  }

  private addResult(id: string, content: readonly JsonObject[], isError: boolean): void {
    this.add('user', [{ type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) }]);
  }

  private add(role: WireMessage['role'], blocks: readonly JsonObject[]): void {
    const last = this.turns.at(-1);
    if (last?.role !== role) this.turns.push({ role, content: [...blocks] });
    else last.content.splice(blocks[0]?.type === 'tool_result' ? afterResults(last.content) : last.content.length, 0, ...blocks);
  }

  private assistantBlocks(part: TextContent | ReplayBlock): readonly JsonObject[] {
    if (part.type === 'text') return contentBlocks(part);
    return this.isOurs(part) && isJsonObject(part.data) ? [part.data] : [];
  }
}

function afterResults(content: readonly JsonObject[]): number {
  const other = content.findIndex(({ type }) => type !== 'tool_result');
  return other < 0 ? content.length : other;
}

/** Empty text is refused. */
function contentBlocks(part: TextContent | ImageContent): readonly JsonObject[] {
  if (part.type === 'text') return part.text.trim() === '' ? [] : [text(part.text)];
  const { mimeType, data } = part;
  if (!IMAGE_TYPES.includes(mimeType)) return [text(`[image: ${mimeType}, not shown]`)];
  return [{ type: 'image', source: { type: 'base64', media_type: mimeType, data } }];
}

function text(value: string): JsonObject {
  return { type: 'text', text: value };
}
