import type { JsonObject, JsonValue } from '#model';
import { objectField, textField } from '../../../wire/json-fields.js';
import { thinkingTokensOf, type Plan } from '../../plan.js';
import { piecesOf, type Delta } from '../../play.js';
import type { PlannedCall } from '../../script.js';
import type { Speech } from '../face.js';
import { EVENT_STREAM, sse } from '../sse.js';
import { encryptedContent, ItemIds } from './item-ids.js';
import { wantsEncrypted } from './parse-items.js';

const ARGUMENT_CHARACTERS = 16;

/** What of a request its response repeats, and what that says of a field that was not given. */
const ECHOED: JsonObject = {
  instructions: null,
  max_output_tokens: null,
  metadata: {},
  parallel_tool_calls: true,
  reasoning: { effort: null, summary: null },
  store: true,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
};

/** An answer as a response, whose items open and close one after the other. */
export class ResponseSpeech implements Speech {
  readonly contentType = EVENT_STREAM;
  readonly garbage = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":\n\n';
  private readonly ids: ItemIds;
  private readonly createdAt = Math.floor(Date.now() / 1000);
  private readonly output: JsonObject[] = [];
  private sequence = 0;
  private opened: Delta['type'] | undefined;
  private said = '';

  constructor(
    private readonly plan: Plan,
    private readonly body: JsonObject,
  ) {
    this.ids = new ItemIds(plan);
  }

  open(): readonly string[] {
    const response = this.response('in_progress', []);
    return [this.event('response.created', { response }), this.event('response.in_progress', { response })];
  }

  delta({ type, text }: Delta): readonly string[] {
    const turn = this.opened === type ? [] : [...this.shut(), ...this.start(type)];
    this.said += text;
    const kind = type === 'text' ? 'response.output_text.delta' : 'response.reasoning_summary_text.delta';
    return [...turn, this.event(kind, { ...this.place(), delta: text, ...(type === 'text' ? { logprobs: [] } : {}) })];
  }

  close(): readonly string[] {
    const ended = this.shut();
    const calls = this.plan.calls.flatMap((call, i) => this.call(call, i));
    const [status, kind] = this.isCut ? ['incomplete', 'response.incomplete'] : ['completed', 'response.completed'];
    return [...ended, ...calls, this.event(kind ?? '', { response: this.response(status ?? '', this.output) })];
  }

  whole(): JsonObject {
    const { think, text, calls } = this.plan;
    const output = [
      ...(think === '' ? [] : [this.reasoningItem(think)]),
      ...(text === '' ? [] : [this.messageItem(text, 'completed')]),
      ...calls.map((call, i) => this.callItem(call, i)),
    ];
    return this.response(this.isCut ? 'incomplete' : 'completed', output);
  }

  failure(error: JsonObject): string {
    const told = objectField(error, 'error');
    const code = textField(told, 'code') ?? textField(told, 'type') ?? 'server_error';
    const response = { ...this.response('failed', this.output), error: { code, message: textField(told, 'message') ?? '' } };
    return this.event('response.failed', { response });
  }

  private start(type: Delta['type']): readonly string[] {
    this.opened = type;
    this.said = '';
    if (type === 'text') {
      const item = { ...this.messageItem('', 'in_progress'), content: [] };
      return [this.added(item), this.event('response.content_part.added', { ...this.place(), part: textPart('') })];
    }
    const item = { id: this.ids.reasoning(), type: 'reasoning', summary: [] };
    return [this.added(item), this.event('response.reasoning_summary_part.added', { ...this.place(), part: summaryPart('') })];
  }

  /** Ends the item under way. */
  private shut(): readonly string[] {
    const { opened, said } = this;
    if (opened === undefined) return [];
    const place = this.place();
    this.opened = undefined;
    if (opened === 'text') {
      return [
        this.event('response.output_text.done', { ...place, text: said, logprobs: [] }),
        this.event('response.content_part.done', { ...place, part: textPart(said) }),
        this.done(this.messageItem(said, 'completed')),
      ];
    }
    return [
      this.event('response.reasoning_summary_text.done', { ...place, text: said }),
      this.event('response.reasoning_summary_part.done', { ...place, part: summaryPart(said) }),
      this.done(this.reasoningItem(said)),
    ];
  }

  private call(call: PlannedCall, index: number): readonly string[] {
    const item = this.callItem(call, index);
    const place = { item_id: this.ids.call(index), output_index: this.output.length };
    return [
      this.added({ ...item, arguments: '', status: 'in_progress' }),
      ...[...piecesOf(call.raw, ARGUMENT_CHARACTERS)].map((delta) =>
        this.event('response.function_call_arguments.delta', { ...place, delta }),
      ),
      this.event('response.function_call_arguments.done', { ...place, name: call.name, arguments: call.raw }),
      this.done(item),
    ];
  }

  private added(item: JsonObject): string {
    return this.event('response.output_item.added', { output_index: this.output.length, item });
  }

  private done(item: JsonObject): string {
    this.output.push(item);
    return this.event('response.output_item.done', { output_index: this.output.length - 1, item });
  }

  /** Where the text of the item under way belongs. */
  private place(): JsonObject {
    const isText = this.opened === 'text';
    const part = isText ? { content_index: 0 } : { summary_index: 0 };
    return { item_id: isText ? this.ids.message() : this.ids.reasoning(), output_index: this.output.length, ...part };
  }

  private reasoningItem(text: string): JsonObject {
    const id = this.ids.reasoning();
    const secret = wantsEncrypted(this.body) ? { encrypted_content: encryptedContent(this.plan.model, id) } : {};
    return { id, type: 'reasoning', summary: [summaryPart(text)], ...secret };
  }

  private messageItem(text: string, status: string): JsonObject {
    return { id: this.ids.message(), type: 'message', status, role: 'assistant', content: [textPart(text)] };
  }

  private callItem({ id, name, raw }: PlannedCall, index: number): JsonObject {
    return { id: this.ids.call(index), type: 'function_call', status: 'completed', call_id: id, name, arguments: raw };
  }

  private get isCut(): boolean {
    return this.plan.stop === 'length' || this.plan.stop === 'content_filter';
  }

  private response(status: string, output: readonly JsonObject[]): JsonObject {
    const isOver = status !== 'in_progress';
    const reason = this.plan.stop === 'length' ? 'max_output_tokens' : 'content_filter';
    return {
      id: this.ids.response(),
      object: 'response',
      created_at: this.createdAt,
      status,
      error: null,
      incomplete_details: status === 'incomplete' ? { reason } : null,
      model: this.plan.model,
      output,
      previous_response_id: null,
      truncation: 'disabled',
      usage: isOver && status !== 'failed' ? wireUsage(this.plan) : null,
      ...Object.fromEntries(Object.entries(ECHOED).map(([field, otherwise]) => [field, this.body[field] ?? otherwise])),
    };
  }

  private event(type: string, data: JsonObject): string {
    const sequence_number = this.sequence;
    this.sequence += 1;
    return sse({ type, sequence_number, ...data }, type);
  }
}

function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text };
}

function wireUsage(plan: Plan): JsonValue {
  const { inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens } = plan.usage;
  const input = inputTokens + cachedInputTokens + cacheCreationTokens;
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInputTokens, cache_write_tokens: cacheCreationTokens },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: thinkingTokensOf(plan) },
    total_tokens: input + outputTokens,
  };
}
