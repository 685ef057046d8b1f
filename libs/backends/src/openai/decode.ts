import {
  isJsonObject,
  TransientError,
  type BackendError,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type StreamEvent,
  type Usage,
} from '#model';
import { END_MARK, type AnswerDecoder } from '../wire/answer-decoder.js';
import { classify } from '../wire/classify.js';
import type { DecoderOptions } from '../wire/decoder-options.js';
import { listField, listOf, objectField, textField } from '../wire/json-fields.js';
import type { Quirks } from './quirks.js';
import { ReasoningDetails } from './reasoning-details.js';
import { ToolCallCollector } from './tool-calls.js';
import { usageIn } from './usage.js';

export interface ChatDecoderOptions extends DecoderOptions {
  /** Whose blocks to be replayed they are. */
  readonly model: string;
  /** The field in which the server wants its reasoning back. */
  readonly replay: Quirks['replay'];
}

/** In the order of preference: servers mirror the same text in several. */
const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;
/** Labels under which servers end an answer that failed on their side. */
const FAILED_FINISH = /^(error|network_error|insufficient_system_resource|function_call_filter)/;

/**
 * Chat completion chunks to events; a whole completion counts as one chunk. A finish reason or [DONE] proves that the
 * answer is complete: calls and usage are given out at the end, and only then.
 */
export class ChatDecoder implements AnswerDecoder {
  private readonly calls: ToolCallCollector;
  private finish: string | undefined;
  private contentPieces = 0;
  private isRefusal = false;
  private isDone = false;
  private usage: Usage | undefined;
  private reasoning = '';
  private opaque: string | undefined;
  private readonly details = new ReasoningDetails();
  private responseId: string | undefined;

  constructor(private readonly options: ChatDecoderOptions) {
    this.calls = new ToolCallCollector(options.usedIds);
  }

  get isSettled(): boolean {
    return this.finish !== undefined || (this.isDone && this.contentPieces > 0);
  }

  get isOver(): boolean {
    return this.isDone;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(chunk: JsonValue): readonly StreamEvent[] {
    if (chunk === END_MARK) {
      this.isDone = true;
      return [];
    }
    if (!isJsonObject(chunk)) throw this.broken('malformed', 'answer is not an object');
    if (chunk.error || isBareError(chunk)) throw this.refused(chunk);
    const choice = listField(chunk, 'choices').find(isJsonObject);
    if (choice?.error) throw this.refused(choice);
    this.usage = usageIn(chunk, choice) ?? this.usage;
    const start = this.started(chunk);
    const events = choice ? this.choice(choice) : [];
    return start ? [start, ...events] : events;
  }

  end(): readonly StreamEvent[] {
    if (!this.isSettled) throw this.broken('stream_drop', 'stream ended early');
    const stop = this.stopReason();
    const calls = stop === 'tool_calls' ? this.calls.finish() : [];
    if (calls === undefined) throw this.broken('malformed', 'tool call without a name');
    return [
      ...this.replayed(),
      ...calls.map((call): StreamEvent => ({ type: 'toolCall', call })),
      ...(this.usage ? [{ type: 'usage', usage: this.usage } as const] : []),
      { type: 'done', stop, ...(this.responseId === undefined ? {} : { responseId: this.responseId }) },
    ];
  }

  private started(chunk: JsonObject): StreamEvent | undefined {
    const responseId = textField(chunk, 'id');
    if (!responseId || this.responseId !== undefined) return undefined;
    this.responseId = responseId;
    return { type: 'start', responseId };
  }

  private choice(choice: JsonObject): readonly StreamEvent[] {
    const delta = objectField(choice, 'delta') ?? objectField(choice, 'message');
    const events = delta ? this.delta(delta) : [];
    const finish = textField(choice, 'finish_reason') || undefined;
    if (finish !== undefined && FAILED_FINISH.test(finish)) throw this.broken('server', `answer failed: ${finish}`);
    this.finish = finish ?? this.finish;
    return events;
  }

  private delta(delta: JsonObject): readonly StreamEvent[] {
    const reasoning = reasoningIn(delta);
    const refusal = textField(delta, 'refusal') ?? '';
    const text = contentText(delta.content) + refusal;
    this.keep(reasoning, delta);
    const hasCalls = this.calls.add(delta);
    this.isRefusal ||= refusal !== '';
    if (hasCalls || text !== '' || reasoning !== '') this.contentPieces += 1;
    const events: StreamEvent[] = [];
    if (reasoning !== '') events.push({ type: 'reasoning', text: reasoning });
    if (text !== '') events.push({ type: 'text', text });
    return events;
  }

  private keep(reasoning: string, delta: JsonObject): void {
    const { replay } = this.options;
    if (replay === 'reasoning_content' || replay === 'reasoning_opaque') this.reasoning += reasoning;
    if (replay === 'reasoning_details') this.details.add(listField(delta, 'reasoning_details'));
    this.opaque = textField(delta, 'reasoning_opaque') || this.opaque;
  }

  private replayed(): readonly StreamEvent[] {
    const { backend: provider, model } = this.options;
    const data = this.replayData();
    return data ? [{ type: 'replay', block: { type: 'replay', provider, model, data } }] : [];
  }

  private replayData(): JsonObject | undefined {
    const { reasoning, opaque } = this;
    switch (this.options.replay) {
      case 'reasoning_details':
        return this.details.all().length > 0 ? { reasoning_details: this.details.all() } : undefined;
      case 'reasoning_content':
        return reasoning === '' ? undefined : { reasoning_content: reasoning };
      case 'reasoning_opaque':
        return opaque === undefined ? undefined : { reasoning_opaque: opaque, ...(reasoning !== '' && { reasoning_text: reasoning }) };
      case 'none':
        return undefined;
    }
  }

  private stopReason(): StopReason {
    if (this.finish === 'length' || this.finish === 'content_filter') return this.finish;
    if (!this.calls.isEmpty) return 'tool_calls';
    return this.isRefusal ? 'refusal' : 'stop';
  }

  private refused(chunk: JsonObject): BackendError {
    return classify({ backend: this.options.backend, body: chunk, secret: this.options.secret });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}

/** Some servers put their error where a chunk would be. */
function isBareError(chunk: JsonObject): boolean {
  return chunk.choices === undefined && textField(chunk, 'message') !== undefined && (chunk.object === 'error' || chunk.type !== undefined);
}

function reasoningIn(delta: JsonObject): string {
  for (const field of REASONING_FIELDS) {
    const text = textField(delta, field);
    if (text) return text;
  }
  return typeof delta.content === 'object' ? partsText(delta.content, 'thinking') : '';
}

function contentText(content: JsonValue | undefined): string {
  return typeof content === 'string' ? content : partsText(content, 'text');
}

/** Mistral puts what a model thinks among the parts of its content, as parts once more. */
function partsText(content: JsonValue | undefined, key: 'text' | 'thinking'): string {
  const parts = listOf(content);
  if (parts.length === 0) return '';
  return parts
    .filter(isJsonObject)
    .map((part) => textField(part, key) ?? partsText(part[key], 'text'))
    .join('');
}
