import {
  isJsonObject,
  RequestError,
  TransientError,
  type BackendError,
  type JsonObject,
  type JsonValue,
  type StopReason,
  type StreamEvent,
  type ToolCall,
} from '#model';
import { END_MARK, type AnswerDecoder } from '../wire/answer-decoder.js';
import { claimId } from '../wire/claim-id.js';
import { classify } from '../wire/classify.js';
import type { DecoderOptions } from '../wire/decoder-options.js';
import { presentable } from '../wire/error-text.js';
import { listField, listOf, objectField, textField } from '../wire/json-fields.js';
import { readArguments } from '../wire/read-arguments.js';
import { callSignature, partSignature } from './signatures.js';
import { usageOf } from './usage.js';

export interface GeminiDecoderOptions extends DecoderOptions {
  /** Whose blocks to be replayed they are. */
  readonly model: string;
}

interface SignedCall {
  readonly call: ToolCall;
  readonly signature: string | undefined;
}

/** The model has failed, and may do better if it is asked again. */
const FAILED: readonly string[] = ['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE', 'OTHER'];
/** What has no entry, like SAFETY or RECITATION, was kept back by a filter. */
const STOPS: ReadonlyMap<string, StopReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['FINISH_REASON_UNSPECIFIED', 'stop'],
]);

/** Chunks of a generated content to events; a list of them counts as its chunks. A finish reason proves that the answer is complete. */
export class GeminiDecoder implements AnswerDecoder {
  private readonly calls: SignedCall[] = [];
  private readonly taken: Set<string>;
  /** Of one key the last value that came. */
  private readonly counts: Record<string, JsonValue> = {};
  private finish: string | undefined;
  private isBlocked = false;
  private responseId: string | undefined;
  private contentPieces = 0;

  readonly isOver = false;

  constructor(private readonly options: GeminiDecoderOptions) {
    this.taken = new Set(options.usedIds);
  }

  get isSettled(): boolean {
    return this.finish !== undefined || this.isBlocked;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(chunk: JsonValue): readonly StreamEvent[] {
    if (chunk === END_MARK) return [];
    if (Array.isArray(chunk)) return listOf(chunk).flatMap((one) => this.push(one));
    if (!isJsonObject(chunk)) throw this.broken('malformed', 'answer is not an object');
    if (chunk.error) throw this.refused(chunk);
    Object.assign(this.counts, objectField(chunk, 'usageMetadata'));
    this.isBlocked ||= textField(objectField(chunk, 'promptFeedback'), 'blockReason') !== undefined;
    const candidate = listField(chunk, 'candidates').find(isJsonObject);
    const events = [...this.started(chunk), ...this.content(objectField(candidate, 'content'))];
    this.ending(candidate);
    return events;
  }

  end(): readonly StreamEvent[] {
    if (!this.isSettled) throw this.broken('stream_drop', 'stream ended early');
    const stop = this.stopReason();
    const calls = stop === 'tool_calls' ? this.calls : [];
    if (calls.some(({ call }) => call.name === '')) throw this.broken('malformed', 'tool call without a name');
    const usage = usageOf(this.counts);
    return [
      ...calls.flatMap(({ call, signature }) => (signature === undefined ? [] : [this.replay(callSignature(call.id, signature))])),
      ...calls.map(({ call }): StreamEvent => ({ type: 'toolCall', call })),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      { type: 'done', stop, ...(this.responseId === undefined ? {} : { responseId: this.responseId }) },
    ];
  }

  private started(chunk: JsonObject): readonly StreamEvent[] {
    const responseId = textField(chunk, 'responseId');
    if (!responseId || this.responseId !== undefined) return [];
    this.responseId = responseId;
    return [{ type: 'start', responseId }];
  }

  private content(content: JsonObject | undefined): readonly StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const part of listField(content, 'parts')) {
      if (!isJsonObject(part)) continue;
      this.contentPieces += 1;
      events.push(...this.part(part));
    }
    return events;
  }

  private part(part: JsonObject): readonly StreamEvent[] {
    const call = objectField(part, 'functionCall');
    const signature = textField(part, 'thoughtSignature');
    if (call) {
      this.calls.push({ call: this.callIn(call), signature });
      return [];
    }
    const text = textField(part, 'text') ?? '';
    const spoken: StreamEvent[] = text === '' ? [] : [{ type: part.thought === true ? 'reasoning' : 'text', text }];
    return signature === undefined ? spoken : [...spoken, this.replay(partSignature(part, this.calls.length))];
  }

  private callIn(call: JsonObject): ToolCall {
    const id = claimId(textField(call, 'id'), this.taken);
    return { id, name: textField(call, 'name') ?? '', ...readArguments(JSON.stringify(call.args ?? {})) };
  }

  private ending(candidate: JsonObject | undefined): void {
    const reason = textField(candidate, 'finishReason');
    if (!candidate || !reason) return;
    const told = textField(candidate, 'finishMessage');
    const what = `the answer ended with ${reason}${told ? `: ${presentable(told, this.options.secret)}` : ''}`;
    if (reason === 'MISSING_THOUGHT_SIGNATURE') throw this.impossible(what);
    if (FAILED.includes(reason)) throw this.broken('malformed', what);
    this.finish = reason;
  }

  private stopReason(): StopReason {
    if (this.isBlocked) return 'content_filter';
    const labelled = STOPS.get(this.finish ?? '') ?? 'content_filter';
    return labelled === 'stop' && this.calls.length > 0 ? 'tool_calls' : labelled;
  }

  private replay(data: JsonObject): StreamEvent {
    const { backend: provider, model } = this.options;
    return { type: 'replay', block: { type: 'replay', provider, model, data } };
  }

  private refused(chunk: JsonObject): BackendError {
    return classify({ backend: this.options.backend, body: chunk, secret: this.options.secret });
  }

  private impossible(what: string): BackendError {
    return new RequestError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind: 'request' });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}
