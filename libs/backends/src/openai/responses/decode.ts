import {
  isJsonObject,
  TransientError,
  type BackendError,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type StreamEvent,
} from '#model';
import { END_MARK, type AnswerDecoder } from '../../wire/answer-decoder.js';
import { classify } from '../../wire/classify.js';
import type { DecoderOptions } from '../../wire/decoder-options.js';
import { listField, numberField, objectField, textField } from '../../wire/json-fields.js';
import { OutputItems, type ItemKey } from './output-items.js';
import { replayData } from './replay.js';
import { usageIn } from './usage.js';

export interface ResponsesDecoderOptions extends DecoderOptions {
  /** Whose blocks to be replayed they are. */
  readonly model: string;
}

type Take = (items: OutputItems, key: ItemKey, event: JsonObject) => readonly StreamEvent[];

/** Events that are about an item. */
const TAKERS: ReadonlyMap<string, Take> = new Map<string, Take>([
  ['response.output_item.added', (items, key, event) => items.added(key, itemOf(event))],
  ['response.output_item.done', (items, key, event) => items.done(key, itemOf(event))],
  ['response.output_text.delta', (items, key, event) => items.say(key, 'text', textField(event, 'delta'))],
  ['response.refusal.delta', (items, key, event) => items.refuse(key, textField(event, 'delta'))],
  ['response.reasoning_summary_part.added', (items, key) => items.summaryPart(key)],
  ['response.reasoning_summary_text.delta', (items, key, event) => items.say(key, 'reasoning', textField(event, 'delta'))],
  ['response.reasoning_text.delta', (items, key, event) => items.say(key, 'reasoning', textField(event, 'delta'))],
  ['response.function_call_arguments.delta', (items, key, event) => items.addArguments(key, textField(event, 'delta'))],
  ['response.function_call_arguments.done', (items, key, event) => items.setArguments(key, textField(event, 'arguments'))],
]);

/**
 * Events of a response to ours; a whole response counts as one. Only `response.completed` and `response.incomplete` prove
 * that the answer is complete.
 */
export class ResponsesDecoder implements AnswerDecoder {
  private readonly items: OutputItems;
  private response: JsonObject | undefined;
  private responseId: string | undefined;
  private contentPieces = 0;

  constructor(private readonly options: ResponsesDecoderOptions) {
    const { backend: provider, model } = options;
    this.items = new OutputItems((replayed) => ({
      type: 'replay',
      block: { type: 'replay', provider, model, data: replayData(replayed) },
    }));
  }

  get isSettled(): boolean {
    return this.response !== undefined;
  }

  get isOver(): boolean {
    return this.response !== undefined;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(event: JsonValue): readonly StreamEvent[] {
    if (event === END_MARK) return [];
    if (!isJsonObject(event)) throw this.broken('malformed', 'answer is not an object');
    if (event.object === 'response') return [...this.started(event), ...this.whole(event)];
    const type = textField(event, 'type') ?? '';
    if (type === 'error' || event.error) throw this.refused(event);
    const take = TAKERS.get(type);
    if (!take) return this.milestone(type, objectField(event, 'response') ?? {});
    this.contentPieces += 1;
    return take(this.items, keyOf(event), event);
  }

  end(): readonly StreamEvent[] {
    if (!this.response) throw this.broken('stream_drop', 'stream ended early');
    const stop = this.stopReason(this.response);
    const calls = stop === 'tool_calls' ? this.items.finish(this.options.usedIds) : [];
    if (calls === undefined) throw this.broken('malformed', 'tool call without a name');
    const usage = usageIn(this.response);
    return [
      ...calls.map((call): StreamEvent => ({ type: 'toolCall', call })),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      { type: 'done', stop, ...(this.responseId === undefined ? {} : { responseId: this.responseId }) },
    ];
  }

  private milestone(type: string, response: JsonObject): readonly StreamEvent[] {
    switch (type) {
      case 'response.created':
      case 'response.in_progress':
        return this.started(response);
      case 'response.completed':
      case 'response.incomplete':
        return [...this.started(response), ...this.ended(response)];
      case 'response.failed':
      case 'response.cancelled':
        throw this.failed(response);
      default:
        return [];
    }
  }

  /** From a server that does not stream. */
  private whole(response: JsonObject): readonly StreamEvent[] {
    if (response.status === 'failed' || response.status === 'cancelled' || response.error) throw this.failed(response);
    return response.status === 'in_progress' || response.status === 'queued' ? [] : this.ended(response);
  }

  private started(response: JsonObject): readonly StreamEvent[] {
    const responseId = textField(response, 'id');
    if (!responseId || this.responseId !== undefined) return [];
    this.responseId = responseId;
    return [{ type: 'start', responseId }];
  }

  private ended(response: JsonObject): readonly StreamEvent[] {
    this.response = response;
    return this.items.ended(listField(response, 'output').filter(isJsonObject));
  }

  private stopReason(response: JsonObject): StopReason {
    const reason = textField(objectField(response, 'incomplete_details'), 'reason');
    if (reason === 'content_filter') return reason;
    if (reason !== undefined || response.status === 'incomplete') return 'length';
    if (this.items.hasCalls) return 'tool_calls';
    return this.items.isRefusal ? 'refusal' : 'stop';
  }

  private failed(response: JsonObject): BackendError {
    return this.refused(objectField(response, 'error') ?? `answer ${textField(response, 'status') ?? 'failed'}`);
  }

  private refused(body: JsonValue): BackendError {
    return classify({ backend: this.options.backend, body, secret: this.options.secret });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}

function keyOf(event: JsonObject): ItemKey {
  return numberField(event, 'output_index') ?? textField(event, 'item_id') ?? textField(itemOf(event), 'id') ?? '';
}

function itemOf(event: JsonObject): JsonObject {
  return objectField(event, 'item') ?? {};
}
