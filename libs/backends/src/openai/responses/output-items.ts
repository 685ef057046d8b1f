import { isJsonObject, type JsonObject, type StreamEvent, type ToolCall } from '#model';
import { argumentTextIn } from '../../wire/argument-text-in.js';
import { claimId } from '../../wire/claim-id.js';
import { listField, textField } from '../../wire/json-fields.js';
import { readArguments } from '../../wire/read-arguments.js';
import type { Replayed } from './replay.js';

/** By its index; by its id where a server leaves that out. */
export type ItemKey = number | string;

type Spoken = Extract<StreamEvent, { readonly type: 'text' | 'reasoning' }>['type'];

interface Call {
  id: string | undefined;
  name: string;
  text: string;
}

interface Item {
  /** As the server calls it; some call it otherwise each time. */
  readonly id: string | undefined;
  readonly call: Call | undefined;
  /** Text of it has been given out. */
  isSpoken: boolean;
  isDone: boolean;
}

/** The items of an answer, put together from their pieces. Kinds that nobody knows are passed over. */
export class OutputItems {
  /** The newest of each key: some servers use one for all. */
  private readonly items = new Map<ItemKey, Item>();
  private readonly calls: Call[] = [];
  private callsTold = 0;
  private isReasoningTold = false;
  private isRefused = false;

  /** `replay` makes the event of what the provider wants back. */
  constructor(private readonly replay: (replayed: Replayed) => StreamEvent) {}

  get hasCalls(): boolean {
    return this.calls.length > 0;
  }

  get isRefusal(): boolean {
    return this.isRefused;
  }

  added(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    return this.items.get(key)?.isDone === false ? [] : this.begin(key, item);
  }

  say(key: ItemKey, type: Spoken, text = ''): readonly StreamEvent[] {
    if (text === '') return [];
    const before = this.items.has(key) ? [] : this.begin(key, {});
    const item = this.items.get(key);
    if (item) item.isSpoken = true;
    return [...before, { type, text }];
  }

  refuse(key: ItemKey, text = ''): readonly StreamEvent[] {
    this.isRefused = true;
    return this.say(key, 'text', text);
  }

  /** Parts of a summary are paragraphs. */
  summaryPart(key: ItemKey): readonly StreamEvent[] {
    return this.items.get(key)?.isSpoken ? this.say(key, 'reasoning', '\n\n') : [];
  }

  addArguments(key: ItemKey, piece = ''): readonly StreamEvent[] {
    if (!this.items.has(key)) this.begin(key, { type: 'function_call' });
    const call = this.items.get(key)?.call;
    if (call) call.text += piece;
    return [];
  }

  /** All of them at once: what came in pieces is the same. */
  setArguments(key: ItemKey, all = ''): readonly StreamEvent[] {
    const call = this.items.get(key)?.call;
    if (call && all !== '') call.text = all;
    return [];
  }

  /** An item as it is in the end: what of it has not come in pieces is given out now. */
  done(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    const last = this.items.get(key);
    if (last?.isDone && last.id === idOf(item)) return [];
    const before = this.added(key, item);
    const own = this.items.get(key);
    if (own) own.isDone = true;
    if (own?.call) take(own.call, item);
    return [...before, ...(own?.isSpoken ? [] : this.whole(key, item)), ...this.reasoning(item)];
  }

  /** The items of a response that has ended. Some servers tell all of them only there, others only what reasoning was in truth. */
  ended(output: readonly JsonObject[]): readonly StreamEvent[] {
    if (this.items.size === 0) return output.flatMap((item, index) => this.done(index, item));
    return this.isReasoningTold ? [] : output.flatMap((item) => this.reasoning(item));
  }

  /** In the order of their items, each with an id of its own; undefined when one has no name. */
  finish(usedIds: ReadonlySet<string>): readonly ToolCall[] | undefined {
    const taken = new Set(usedIds);
    const calls = this.calls.map(({ id, name, text }) => ({ id: claimId(id, taken), name, ...readArguments(text) }));
    return calls.some(({ name }) => name === '') ? undefined : calls;
  }

  private begin(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    const call = item.type === 'function_call' ? { id: undefined, name: '', text: '' } : undefined;
    this.items.set(key, { id: idOf(item), call, isSpoken: false, isDone: false });
    const phase = textField(item, 'phase');
    if (!call) return [...this.callsBefore(), ...(phase ? [this.replay({ kind: 'phase', phase })] : [])];
    this.calls.push(call);
    take(call, item);
    return [];
  }

  /** Calls are given out at the end; where they stood among the rest is part of what is replayed. */
  private callsBefore(): readonly StreamEvent[] {
    const before = this.calls.length;
    if (before === this.callsTold) return [];
    this.callsTold = before;
    return [this.replay({ kind: 'calls', before })];
  }

  private whole(key: ItemKey, item: JsonObject): readonly StreamEvent[] {
    if (item.type === 'message') return this.wholeMessage(key, item);
    return item.type === 'reasoning' ? this.wholeReasoning(key, item) : [];
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
  private reasoning(item: JsonObject): readonly StreamEvent[] {
    if (item.type !== 'reasoning' || !textField(item, 'encrypted_content')) return [];
    this.isReasoningTold = true;
    return [this.replay({ kind: 'item', item: withoutNulls(item) })];
  }
}

function idOf(item: JsonObject): string | undefined {
  return textField(item, 'id') ?? textField(item, 'call_id');
}

/** What is there replaces what was. */
function take(call: Call, item: JsonObject): void {
  call.id = textField(item, 'call_id') || call.id;
  call.name = textField(item, 'name') || call.name;
  call.text = argumentTextIn(item.arguments) || call.text;
}

/** A null is refused where it comes back. */
function withoutNulls(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== null));
}
