import type { JsonObject } from '#model';
import { objectField, textField } from '../../../wire/json-fields.js';
import type { Plan } from '../../plan.js';
import { piecesOf, type Delta } from '../../play.js';
import type { PlannedCall } from '../../script.js';
import type { Speech } from '../face.js';
import { EVENT_STREAM, sse } from '../sse.js';
import { ResponseItems, summaryPart, textPart } from './response-items.js';
import { isCut, responseObject, type ResponseHead } from './response-object.js';

const ARGUMENT_CHARACTERS = 16;

/** An answer as a response, whose items open and close one after the other. */
export class ResponseSpeech implements Speech {
  readonly contentType = EVENT_STREAM;
  readonly garbage = 'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","delta":\n\n';
  private readonly items: ResponseItems;
  private readonly head: ResponseHead;
  private readonly output: JsonObject[] = [];
  private sequence = 0;
  private opened: Delta['type'] | undefined;
  private said = '';

  constructor(
    private readonly plan: Plan,
    body: JsonObject,
  ) {
    this.items = new ResponseItems(plan, body);
    this.head = { id: this.items.ids.response(), createdAt: Math.floor(Date.now() / 1000), plan, body };
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
    const [status, kind] = isCut(this.plan) ? ['incomplete', 'response.incomplete'] : ['completed', 'response.completed'];
    return [...ended, ...calls, this.event(kind ?? '', { response: this.response(status ?? '', this.output) })];
  }

  whole(): JsonObject {
    const { think, text, calls } = this.plan;
    const output = [
      ...(think === '' ? [] : [this.items.reasoning(think)]),
      ...(text === '' ? [] : [this.items.message(text, 'completed')]),
      ...calls.map((call, i) => this.items.call(call, i)),
    ];
    return this.response(isCut(this.plan) ? 'incomplete' : 'completed', output);
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
      const item = { ...this.items.message('', 'in_progress'), content: [] };
      return [this.added(item), this.event('response.content_part.added', { ...this.place(), part: textPart('') })];
    }
    const item = { id: this.items.ids.reasoning(), type: 'reasoning', summary: [] };
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
        this.done(this.items.message(said, 'completed')),
      ];
    }
    return [
      this.event('response.reasoning_summary_text.done', { ...place, text: said }),
      this.event('response.reasoning_summary_part.done', { ...place, part: summaryPart(said) }),
      this.done(this.items.reasoning(said)),
    ];
  }

  private call(call: PlannedCall, index: number): readonly string[] {
    const item = this.items.call(call, index);
    const place = { item_id: this.items.ids.call(index), output_index: this.output.length };
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
    return { item_id: isText ? this.items.ids.message() : this.items.ids.reasoning(), output_index: this.output.length, ...part };
  }

  private response(status: string, output: readonly JsonObject[]): JsonObject {
    return responseObject(this.head, status, output);
  }

  private event(type: string, data: JsonObject): string {
    const sequence_number = this.sequence;
    this.sequence += 1;
    return sse({ type, sequence_number, ...data }, type);
  }
}
