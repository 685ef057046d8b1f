import { isJsonObject, TransientError, type BackendError, type JsonObject, type JsonValue, type StreamEvent, type Usage } from '#model';
import type { AnswerDecoder } from '../wire/answer-decoder.js';
import { classify } from '../wire/classify.js';
import type { DecoderOptions } from '../wire/decoder-options.js';
import { numberField, objectField, textField } from '../wire/json-fields.js';
import { FragmentCalls } from './fragment-calls.js';
import { redactedBlock, thinkingBlock } from './reasoning.js';
import { countedUsage, estimatedUsage } from './usage.js';

export interface EventsDecoderOptions extends DecoderOptions {
  /** Whose blocks to be replayed they are. */
  readonly model: string;
  /** Of the model, in tokens; undefined when nobody has told. */
  readonly contextLength: number | undefined;
}

/**
 * Events of a conversation to ours. Nothing marks the end of an answer but that its stream ends between two messages; its
 * counts come behind all of it. Events that nobody knows are passed over.
 */
export class EventsDecoder implements AnswerDecoder {
  private readonly calls = new FragmentCalls();
  private thinking = '';
  private contentPieces = 0;
  private counts: JsonObject | undefined;
  private percentage: number | undefined;

  constructor(private readonly options: EventsDecoderOptions) {}

  get isSettled(): boolean {
    return this.counts !== undefined && this.calls.areWhole;
  }

  /** There may be more to be read behind the counts. */
  get isOver(): boolean {
    return false;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(event: JsonValue): readonly StreamEvent[] {
    if (!isJsonObject(event)) throw this.broken('malformed', 'answer is not an object');
    const [name, payload] = [textField(event, 'name') ?? '', objectField(event, 'payload') ?? {}];
    if (event.kind !== 'event') throw this.refused(name === '' ? event : { __type: name, ...payload });
    if (name === 'invalidStateEvent') throw this.refused(payload);
    return this.event(name, payload);
  }

  end(): readonly StreamEvent[] {
    const { calls, options } = this;
    if ((this.contentPieces === 0 && !this.counts) || !calls.areWhole) throw this.broken('stream_drop', 'stream ended early');
    const given = calls.finish(options.usedIds);
    if (given === undefined) throw this.broken('malformed', 'tool call without a name');
    const usage = this.usage();
    return [
      ...given.map((call): StreamEvent => ({ type: 'toolCall', call })),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      { type: 'done', stop: given.length > 0 ? 'tool_calls' : 'stop' },
    ];
  }

  private event(name: string, payload: JsonObject): readonly StreamEvent[] {
    switch (name) {
      case 'assistantResponseEvent':
        return this.spoken('text', textField(payload, 'content'));
      case 'reasoningContentEvent':
        return this.reasoning(payload);
      case 'toolUseEvent':
        this.contentPieces += 1;
        this.calls.add(payload);
        return [];
      case 'metadataEvent':
        this.counts = objectField(payload, 'tokenUsage') ?? this.counts;
        return [];
      case 'contextUsageEvent':
        this.percentage = numberField(payload, 'contextUsagePercentage');
        return [];
      default:
        return [];
    }
  }

  /** A signature is that of the thinking since the last one; thinking without one cannot be sent back. */
  private reasoning(payload: JsonObject): readonly StreamEvent[] {
    const [text = '', signature = '', redacted = ''] = ['text', 'signature', 'redactedContent'].map((key) => textField(payload, key));
    this.thinking += text;
    const shown = this.spoken('reasoning', text);
    if (redacted !== '') return [...shown, this.replay(redactedBlock(redacted))];
    if (signature === '') return shown;
    const block = thinkingBlock(this.thinking, signature);
    this.thinking = '';
    return [...shown, this.replay(block)];
  }

  private spoken(type: 'text' | 'reasoning', text = ''): readonly StreamEvent[] {
    if (text === '') return [];
    this.contentPieces += 1;
    return [{ type, text }];
  }

  private replay(data: JsonValue): StreamEvent {
    const { backend: provider, model } = this.options;
    return { type: 'replay', block: { type: 'replay', provider, model, data } };
  }

  private usage(): Usage | undefined {
    if (this.counts) return countedUsage(this.counts);
    const { percentage, options } = this;
    return percentage === undefined || options.contextLength === undefined ? undefined : estimatedUsage(percentage, options.contextLength);
  }

  private refused(body: JsonObject): BackendError {
    return classify({ backend: this.options.backend, body, secret: this.options.secret });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}
