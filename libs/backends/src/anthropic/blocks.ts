import type { JsonObject, JsonValue, StreamEvent, ToolCall } from '#model';
import { claimId } from '../wire/claim-id.js';
import { objectField, textField } from '../wire/json-fields.js';
import { readArguments } from '../wire/read-arguments.js';

interface Block {
  /** As it was opened. */
  readonly start: JsonObject;
  /** Of thinking: its text; of a call: its arguments. */
  text: string;
  signature: string;
}

/** Of tools that the server itself runs: calls and results. */
const OF_SERVER = /^server_tool_use$|._tool_result$/;

/** The blocks of an answer, put together from their pieces. Kinds that nobody knows are passed over, and so are their pieces. */
export class Blocks {
  private readonly open = new Map<number, Block>();
  private readonly calls: Block[] = [];

  /** `replay` makes the event of a block that the provider wants back. */
  constructor(private readonly replay: (data: JsonValue) => StreamEvent) {}

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  start(index: number, start: JsonObject): readonly StreamEvent[] {
    const block: Block = { start, text: '', signature: textField(start, 'signature') ?? '' };
    this.open.set(index, block);
    if (start.type === 'tool_use') this.calls.push(block);
    if (start.type === 'text') return spoken('text', textField(start, 'text'));
    return start.type === 'thinking' ? this.thought(block, textField(start, 'thinking')) : [];
  }

  delta(index: number, delta: JsonObject): readonly StreamEvent[] {
    const block = this.open.get(index);
    switch (textField(delta, 'type') ?? '') {
      case 'text_delta':
        return spoken('text', textField(delta, 'text'));
      case 'thinking_delta':
        return this.thought(block, textField(delta, 'thinking'));
      case 'signature_delta':
        if (block) block.signature = textField(delta, 'signature') ?? block.signature;
        return [];
      case 'input_json_delta':
        if (block) block.text += textField(delta, 'partial_json') ?? '';
        return [];
      default:
        return [];
    }
  }

  /** Thinking without a signature cannot be sent back; what the server's own tools have said must be. */
  stop(index: number): readonly StreamEvent[] {
    const block = this.open.get(index);
    this.open.delete(index);
    if (block && OF_SERVER.test(textField(block.start, 'type') ?? '')) return served(block).map((data) => this.replay(data));
    if (block?.start.type === 'redacted_thinking') return [this.replay(block.start)];
    if (block?.start.type !== 'thinking' || block.signature === '') return [];
    return [this.replay({ type: 'thinking', thinking: block.text, signature: block.signature })];
  }

  /** Those that the server has not closed. */
  stopAll(): readonly StreamEvent[] {
    return [...this.open.keys()].flatMap((index) => this.stop(index));
  }

  /** In the order of their blocks, each with an id of its own; undefined when one has no name. */
  finish(usedIds: ReadonlySet<string>): readonly ToolCall[] | undefined {
    const taken = new Set(usedIds);
    const calls = this.calls.map(({ start, text }) => ({
      id: claimId(textField(start, 'id'), taken),
      name: textField(start, 'name') ?? '',
      ...readArguments(text === '' ? JSON.stringify(objectField(start, 'input') ?? {}) : text),
    }));
    return calls.some(({ name }) => name === '') ? undefined : calls;
  }

  private thought(block: Block | undefined, text = ''): readonly StreamEvent[] {
    if (block) block.text += text;
    return spoken('reasoning', text);
  }
}

/** A call with its arguments, which come in pieces, unless they are cut; a result comes whole. */
function served({ start, text }: Block): readonly JsonObject[] {
  if (text === '') return [start];
  const { arguments: input, argumentsError } = readArguments(text);
  return argumentsError === undefined ? [{ ...start, input }] : [];
}

function spoken(type: 'text' | 'reasoning', text = ''): readonly StreamEvent[] {
  return text === '' ? [] : [{ type, text }];
}
