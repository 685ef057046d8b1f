import type { JsonObject, StopReason } from '#model';
import { objectField } from '../../../wire/json-fields.js';
import { thinkingTokensOf, type Plan } from '../../plan.js';
import { piecesOf, type Delta } from '../../play.js';
import type { PlannedCall } from '../../script.js';
import type { Speech } from '../face.js';
import { EVENT_STREAM, sse } from '../sse.js';
import { toWireId, thinkingSeal } from './signed.js';

const ARGUMENT_CHARACTERS = 16;

const STOPS: Readonly<Record<StopReason, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
};

/** An answer as a message, whose blocks open and close one after the other. */
export class MessageSpeech implements Speech {
  readonly contentType = EVENT_STREAM;
  readonly garbage = 'event: content_block_delta\ndata: {"type":"content_block_delta","index":\n\n';
  private index = -1;
  private open_: 'reasoning' | 'text' | undefined;

  constructor(
    private readonly plan: Plan,
    private readonly body: JsonObject,
  ) {}

  open(): readonly string[] {
    const message = { ...this.head(), content: [], stop_reason: null, stop_sequence: null, usage: { ...this.input(), output_tokens: 1 } };
    return [event({ type: 'message_start', message }), event({ type: 'ping' })];
  }

  delta({ type, text }: Delta): readonly string[] {
    if (type === 'reasoning' && this.isOff) return [];
    const turn = this.open_ === type ? [] : [...this.stop(), ...this.start(type)];
    if (type === 'text') return [...turn, this.piece({ type: 'text_delta', text })];
    return this.isOmitted ? turn : [...turn, this.piece({ type: 'thinking_delta', thinking: text })];
  }

  close(): readonly string[] {
    const { stop, usage } = this.plan;
    const ended = this.stop();
    const calls = this.plan.calls.flatMap((call) => this.call(call));
    const delta = { stop_reason: STOPS[stop], stop_sequence: null };
    return [
      ...ended,
      ...calls,
      event({ type: 'message_delta', delta, usage: { ...this.input(), ...this.output(), output_tokens: usage.outputTokens } }),
      event({ type: 'message_stop' }),
    ];
  }

  whole(): JsonObject {
    const { think, text, calls, stop, usage } = this.plan;
    const content = [
      ...(think === '' || this.isOff ? [] : [{ type: 'thinking', thinking: this.shown(), signature: this.signature() }]),
      ...(text === '' ? [] : [{ type: 'text', text }]),
      ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id: toWireId(id), name, input })),
    ];
    const counts = { ...this.input(), ...this.output(), output_tokens: usage.outputTokens };
    return { ...this.head(), content, stop_reason: STOPS[stop], stop_sequence: null, usage: counts };
  }

  failure(error: JsonObject): string {
    return sse(error, 'error');
  }

  private start(type: Delta['type']): readonly string[] {
    this.open_ = type;
    this.index += 1;
    const block = type === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    return [event({ type: 'content_block_start', index: this.index, content_block: block })];
  }

  private stop(): readonly string[] {
    if (this.open_ === undefined) return [];
    const signed = this.open_ === 'reasoning' ? [this.piece({ type: 'signature_delta', signature: this.signature() })] : [];
    this.open_ = undefined;
    return [...signed, event({ type: 'content_block_stop', index: this.index })];
  }

  private call({ id, name, raw }: PlannedCall): readonly string[] {
    this.index += 1;
    const block = { type: 'tool_use', id: toWireId(id), name, input: {} };
    return [
      event({ type: 'content_block_start', index: this.index, content_block: block }),
      ...['', ...piecesOf(raw, ARGUMENT_CHARACTERS)].map((piece) => this.piece({ type: 'input_json_delta', partial_json: piece })),
      event({ type: 'content_block_stop', index: this.index }),
    ];
  }

  private piece(delta: JsonObject): string {
    return event({ type: 'content_block_delta', index: this.index, delta });
  }

  private head(): JsonObject {
    const { id, model } = this.plan;
    return { id: `msg_${id}`, type: 'message', role: 'assistant', model };
  }

  private input(): JsonObject {
    const { inputTokens, cachedInputTokens, cacheCreationTokens } = this.plan.usage;
    return {
      input_tokens: inputTokens,
      cache_creation_input_tokens: cacheCreationTokens,
      cache_read_input_tokens: cachedInputTokens,
      cache_creation: { ephemeral_5m_input_tokens: cacheCreationTokens, ephemeral_1h_input_tokens: 0 },
    };
  }

  private output(): JsonObject {
    return this.plan.think === '' || this.isOff ? {} : { output_tokens_details: { thinking_tokens: thinkingTokensOf(this.plan) } };
  }

  private get isOff(): boolean {
    return objectField(this.body, 'thinking')?.type === 'disabled';
  }

  private get isOmitted(): boolean {
    return objectField(this.body, 'thinking')?.display === 'omitted';
  }

  private shown(): string {
    return this.isOmitted ? '' : this.plan.think;
  }

  private signature(): string {
    return thinkingSeal(this.plan.model, this.shown());
  }
}

function event(data: JsonObject & { readonly type: string }): string {
  return sse(data, data.type);
}
