import {
  isJsonObject,
  TransientError,
  type BackendError,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type StreamEvent,
} from '#model';
import { END_MARK, type AnswerDecoder } from '../wire/answer-decoder.js';
import { classify } from '../wire/classify.js';
import type { DecoderOptions } from '../wire/decoder-options.js';
import { listField, numberField, objectField, textField } from '../wire/json-fields.js';
import { Blocks } from './blocks.js';
import { mergedCounts, usageOf } from './usage.js';

export interface MessagesDecoderOptions extends DecoderOptions {
  /** Whose blocks to be replayed they are. */
  readonly model: string;
}

/** What has no entry ends the answer like `end_turn`. */
const STOPS: ReadonlyMap<string, StopReason> = new Map([
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['refusal', 'refusal'],
  ['pause_turn', 'pause'],
]);

/** Events of a message to ours; a whole message counts as one. Only `message_stop` proves that the answer is complete. */
export class MessagesDecoder implements AnswerDecoder {
  private readonly blocks: Blocks;
  private counts: JsonObject = {};
  private reason: string | undefined;
  private responseId: string | undefined;
  private contentPieces = 0;
  private isStopped = false;

  constructor(private readonly options: MessagesDecoderOptions) {
    const { backend: provider, model } = options;
    this.blocks = new Blocks((data) => ({ type: 'replay', block: { type: 'replay', provider, model, data } }));
  }

  get isSettled(): boolean {
    return this.isStopped;
  }

  get isOver(): boolean {
    return this.isStopped;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(event: JsonValue): readonly StreamEvent[] {
    if (event === END_MARK) return [];
    if (!isJsonObject(event)) throw this.broken('malformed', 'answer is not an object');
    if (event.type === 'error' || event.error) throw this.refused(event);
    return event.type === 'message' ? this.whole(event) : this.event(event);
  }

  end(): readonly StreamEvent[] {
    if (!this.isStopped) throw this.broken('stream_drop', 'stream ended early');
    const stop = this.stopReason();
    const calls = stop === 'tool_calls' ? this.blocks.finish(this.options.usedIds) : [];
    if (calls === undefined) throw this.broken('malformed', 'tool call without a name');
    const usage = usageOf(this.counts);
    return [
      ...this.blocks.stopAll(),
      ...calls.map((call): StreamEvent => ({ type: 'toolCall', call })),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      { type: 'done', stop, ...(this.responseId === undefined ? {} : { responseId: this.responseId }) },
    ];
  }

  private event(event: JsonObject): readonly StreamEvent[] {
    const index = numberField(event, 'index') ?? 0;
    switch (textField(event, 'type') ?? '') {
      case 'message_start':
        return this.started(objectField(event, 'message') ?? {});
      case 'content_block_start':
        this.contentPieces += 1;
        return this.blocks.start(index, objectField(event, 'content_block') ?? {});
      case 'content_block_delta':
        this.contentPieces += 1;
        return this.blocks.delta(index, objectField(event, 'delta') ?? {});
      case 'content_block_stop':
        return this.blocks.stop(index);
      case 'message_delta':
        return this.ending(objectField(event, 'delta'), event);
      case 'message_stop':
        this.isStopped = true;
        return [];
      default:
        return [];
    }
  }

  /** From a server that does not stream. */
  private whole(message: JsonObject): readonly StreamEvent[] {
    const blocks = listField(message, 'content').filter(isJsonObject);
    const start = this.started(message);
    const events = blocks.flatMap((block, index) => [...this.blocks.start(index, block), ...this.blocks.stop(index)]);
    this.ending(message, message);
    this.isStopped = true;
    return [...start, ...events];
  }

  private started(message: JsonObject): readonly StreamEvent[] {
    this.count(message);
    const responseId = textField(message, 'id');
    if (!responseId || this.responseId !== undefined) return [];
    this.responseId = responseId;
    return [{ type: 'start', responseId }];
  }

  private ending(delta: JsonObject | undefined, reported: JsonObject): readonly StreamEvent[] {
    this.count(reported);
    this.reason = textField(delta, 'stop_reason') ?? this.reason;
    return [];
  }

  private count(reported: JsonObject): void {
    this.counts = mergedCounts(this.counts, objectField(reported, 'usage') ?? {});
  }

  private stopReason(): StopReason {
    const labelled = STOPS.get(this.reason ?? '');
    return labelled ?? (this.blocks.hasCalls ? 'tool_calls' : 'stop');
  }

  private refused(event: JsonObject): BackendError {
    return classify({ backend: this.options.backend, body: event, secret: this.options.secret });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}
