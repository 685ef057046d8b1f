import {
  isJsonObject,
  TransientError,
  type BackendError,
  type JsonObject,
  type JsonValue,
  type ModelRequest,
  type StreamEvent,
} from '#model';
import { END_MARK, type AnswerDecoder } from '../wire/answer-decoder.js';
import { classify } from '../wire/classify.js';
import type { DecoderOptions } from '../wire/decoder-options.js';
import { listField, objectField, textField } from '../wire/json-fields.js';
import { ObjectCalls } from './object-calls.js';
import { thinkingBlock } from './thinking-block.js';
import { usageOf } from './usage.js';
import { windowWarning } from './window-warning.js';

export interface ChatLinesOptions extends DecoderOptions {
  /** What is answered. */
  readonly request: ModelRequest;
  /** The window that the model is run with, in tokens. */
  readonly numCtx: number;
}

/** How an answer ends that only tells that a model was loaded or put away. */
const NO_ANSWERS: readonly string[] = ['load', 'unload'];

/** Lines of a chat to events; an answer that does not stream is one line. Only `done: true` proves that it is complete. */
export class ChatLinesDecoder implements AnswerDecoder {
  private readonly calls: ObjectCalls;
  private thinking = '';
  private contentPieces = 0;
  private last: JsonObject | undefined;

  constructor(private readonly options: ChatLinesOptions) {
    this.calls = new ObjectCalls(options.usedIds);
  }

  get isSettled(): boolean {
    return this.last !== undefined;
  }

  get isOver(): boolean {
    return this.last !== undefined;
  }

  get pieces(): number {
    return this.contentPieces;
  }

  push(line: JsonValue): readonly StreamEvent[] {
    if (line === END_MARK) return [];
    if (!isJsonObject(line)) throw this.broken('malformed', 'answer is not an object');
    if (line.error) throw this.refused(line);
    if (line.done === true) this.last = line;
    return this.message(objectField(line, 'message'));
  }

  end(): readonly StreamEvent[] {
    const { last, calls, options } = this;
    if (last === undefined) throw this.broken('stream_drop', 'stream ended early');
    const reason = textField(last, 'done_reason') ?? '';
    if (NO_ANSWERS.includes(reason)) throw this.broken('empty', `the server has only said that it did ${reason} the model`);
    const given = reason === 'length' ? [] : calls.finish();
    if (given === undefined) throw this.broken('malformed', 'tool call without a name');
    const usage = usageOf(last);
    const warning = windowWarning(last, options);
    return [
      ...(given.length > 0 && this.thinking !== '' ? [this.replay()] : []),
      ...given.map((call): StreamEvent => ({ type: 'toolCall', call })),
      ...(usage ? [{ type: 'usage', usage } as const] : []),
      ...(warning === undefined ? [] : [{ type: 'warning', text: warning } as const]),
      { type: 'done', stop: reason === 'length' ? 'length' : given.length > 0 ? 'tool_calls' : 'stop' },
    ];
  }

  private message(message: JsonObject | undefined): readonly StreamEvent[] {
    const [thinking = '', text = ''] = [textField(message, 'thinking'), textField(message, 'content')];
    if (message?.tool_calls !== undefined) this.addCalls(message);
    const events: StreamEvent[] = [];
    if (thinking !== '') events.push({ type: 'reasoning', text: thinking });
    if (text !== '') events.push({ type: 'text', text });
    this.thinking += thinking;
    this.contentPieces += events.length;
    return events;
  }

  private addCalls(message: JsonObject): void {
    const calls = listField(message, 'tool_calls').filter(isJsonObject);
    calls.forEach((call) => this.calls.add(call));
    this.contentPieces += calls.length;
  }

  private replay(): StreamEvent {
    const { backend: provider, request } = this.options;
    return { type: 'replay', block: thinkingBlock(this.thinking, { provider, model: request.model }) };
  }

  private refused(line: JsonObject): BackendError {
    return classify({ backend: this.options.backend, body: line, secret: this.options.secret });
  }

  private broken(kind: string, what: string): BackendError {
    return new TransientError(`${this.options.backend}: ${what}`, { backend: this.options.backend, kind });
  }
}
