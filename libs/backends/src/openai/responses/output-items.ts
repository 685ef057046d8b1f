import { isJsonObject, type JsonObject, type StreamEvent, type ToolCall } from '#model';
import { claimId } from '../../wire/claim-id.js';
import { listField, textField } from '../../wire/json-fields.js';
import { readArguments } from '../../wire/read-arguments.js';
import { argumentTextIn } from '../argument-text.js';
import type { Replayed } from './replay.js';

/** By its index; by its id where a server leaves that out. */
export type ItemKey = number | string;

type Spoken = Extract<StreamEvent, { readonly type: 'text' | 'reasoning' }>['type'];

interface Call {
  id: string | undefined;
  name: string;
  text: string;
}

/** The items of an answer, put together from their pieces. Kinds that nobody knows are passed over. */
export class OutputItems {
  private readonly seen = new Set<ItemKey>();
  private readonly spoken = new Set<ItemKey>();
  private readonly calls = new Map<ItemKey, Call>();
  private callsTold = 0;
  private isReasoningTold = false;
  private isRefused = false;

  /** `replay` makes the event of what the provider wants back. */
  constructor(private readonly replay: (replayed: Replayed) => StreamEvent) {}

  get hasCalls(): boolean {
    return this.calls.size > 0;
  }

  get isRefusal(): boolean {
    return this.isRefused;
  }

  get isEmpty(): boolean {
    return this.seen.size === 0;
  }

  added(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    if (this.seen.has(key)) return [];
    this.seen.add(key);
    if (item.type === 'function_call') this.calls.set(key, { id: undefined, name: '', text: '' });
    if (this.calls.has(key)) return this.takeCall(key, item);
    const phase = textField(item, 'phase');
    return [...this.callsBefore(), ...(phase ? [this.replay({ kind: 'phase', phase })] : [])];
  }

  say(key: ItemKey, type: Spoken, text = ''): readonly StreamEvent[] {
    if (text === '') return [];
    this.spoken.add(key);
    return [{ type, text }];
  }

  refuse(key: ItemKey, text = ''): readonly StreamEvent[] {
    this.isRefused = true;
    return this.say(key, 'text', text);
  }

  /** Parts of a summary are paragraphs. */
  summaryPart(key: ItemKey): readonly StreamEvent[] {
    return this.spoken.has(key) ? this.say(key, 'reasoning', '\n\n') : [];
  }

  addArguments(key: ItemKey, piece = ''): readonly StreamEvent[] {
    const call = this.calls.get(key);
    if (call) call.text += piece;
    return [];
  }

  /** An item as it is in the end: what of it has not come in pieces is given out now. */
  done(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    const before = this.added(key, item);
    switch (textField(item, 'type') ?? '') {
      case 'function_call':
        return [...before, ...this.takeCall(key, item)];
      case 'message':
        return [...before, ...(this.spoken.has(key) ? [] : this.wholeMessage(key, item))];
      case 'reasoning':
        return [...before, ...(this.spoken.has(key) ? [] : this.wholeReasoning(key, item)), ...this.lateReasoning(item)];
      default:
        return before;
    }
  }

  /** The items of a response that has ended. Some servers tell all of them only there, others only what reasoning was in truth. */
  ended(output: readonly JsonObject[]): readonly StreamEvent[] {
    if (this.isEmpty) return output.flatMap((item, index) => this.done(index, item));
    return this.isReasoningTold ? [] : output.filter(({ type }) => type === 'reasoning').flatMap((item) => this.lateReasoning(item));
  }

  /** In the order of their items, each with an id of its own; undefined when one has no name. */
  finish(usedIds: ReadonlySet<string>): readonly ToolCall[] | undefined {
    const taken = new Set(usedIds);
    const calls = [...this.calls.values()].map(({ id, name, text }) => ({ id: claimId(id, taken), name, ...readArguments(text) }));
    return calls.some(({ name }) => name === '') ? undefined : calls;
  }

  private takeCall(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    const call = this.calls.get(key);
    if (!call) return [];
    call.id = textField(item, 'call_id') || call.id;
    call.name = textField(item, 'name') || call.name;
    call.text = argumentTextIn(item.arguments) || call.text;
    return [];
  }

  /** Calls are given out at the end; where they stood among the rest is part of what is replayed. */
  private callsBefore(): readonly StreamEvent[] {
    const before = this.calls.size;
    if (before === this.callsTold) return [];
    this.callsTold = before;
    return [this.replay({ kind: 'calls', before })];
  }

  private wholeMessage(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    return listField(item, 'content')
      .filter(isJsonObject)
      .flatMap((part) =>
        part.type === 'refusal' ? this.refuse(key, textField(part, 'refusal')) : this.say(key, 'text', textField(part, 'text')),
      );
  }

  private wholeReasoning(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    const summary = listField(item, 'summary').filter(isJsonObject);
    const parts = summary.length > 0 ? summary : listField(item, 'content').filter(isJsonObject);
    return this.say(key, 'reasoning', parts.map((part) => textField(part, 'text') ?? '').join('\n\n'));
  }

  /** Nothing is stored there: reasoning without its encrypted content means nothing when it comes back. */
  private lateReasoning(item: JsonObject): readonly StreamEvent[] {
    if (!textField(item, 'encrypted_content')) return [];
    this.isReasoningTold = true;
    return [this.replay({ kind: 'item', item: withoutNulls(item) })];
  }
}

/** A null is refused where it comes back. */
function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
