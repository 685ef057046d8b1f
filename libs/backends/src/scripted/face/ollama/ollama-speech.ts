import type { JsonObject, StopReason } from '#model';
import { isBrokenCall, type Plan } from '../../plan.js';
import type { Delta } from '../../play.js';
import type { Speech } from '../face.js';

const REASONS: Readonly<Partial<Record<StopReason, string>>> = { length: 'length' };
const NANOSECONDS_PER_TOKEN = 1_000_000;

/** An answer as lines of JSON. */
export class OllamaSpeech implements Speech {
  readonly contentType = 'application/x-ndjson';
  readonly garbage = '{"model":"scripted","message":\n';

  constructor(
    private readonly plan: Plan,
    private readonly body: JsonObject,
  ) {}

  open(): readonly string[] {
    return [];
  }

  delta({ type, text }: Delta): readonly string[] {
    if (type === 'text') return [this.line({ role: 'assistant', content: text })];
    return this.isHidden ? [] : [this.line({ role: 'assistant', content: '', thinking: text })];
  }

  close(): readonly string[] {
    const broken = this.plan.calls.find(isBrokenCall);
    if (broken) return [`${JSON.stringify({ error: `error parsing tool call: raw='${broken.raw}'` })}\n`];
    const calls = this.calls();
    const said = calls.length > 0 ? [this.line({ role: 'assistant', content: '', tool_calls: calls })] : [];
    return [...said, this.line({ role: 'assistant', content: '' }, this.end())];
  }

  whole(): JsonObject {
    const { think, text } = this.plan;
    const calls = this.calls();
    const message = {
      role: 'assistant',
      content: text,
      ...(think === '' || this.isHidden ? {} : { thinking: think }),
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    return this.answer(message, this.end());
  }

  failure(error: JsonObject): string {
    return `${JSON.stringify(error)}\n`;
  }

  private line(message: JsonObject, end?: JsonObject): string {
    return `${JSON.stringify(this.answer(message, end))}\n`;
  }

  private answer(message: JsonObject, end: JsonObject = { done: false }): JsonObject {
    return { model: this.plan.model, created_at: new Date().toISOString(), message, ...end };
  }

  /** Without ids, as most versions give them. */
  private calls(): readonly JsonObject[] {
    return this.plan.calls
      .filter((call) => !isBrokenCall(call))
      .map(({ name, arguments: args }) => ({ function: { name, arguments: args } }));
  }

  private end(): JsonObject {
    const { inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens } = this.plan.usage;
    const evaluated = inputTokens + cacheCreationTokens;
    return {
      done: true,
      done_reason: REASONS[this.plan.stop] ?? 'stop',
      total_duration: (evaluated + outputTokens) * NANOSECONDS_PER_TOKEN,
      load_duration: 0,
      prompt_eval_count: evaluated + cachedInputTokens,
      ...(cachedInputTokens > 0 ? { prompt_eval_cached_count: cachedInputTokens } : {}),
      prompt_eval_duration: evaluated * NANOSECONDS_PER_TOKEN,
      eval_count: outputTokens,
      eval_duration: outputTokens * NANOSECONDS_PER_TOKEN,
    };
  }

  private get isHidden(): boolean {
    return this.body.think === false;
  }
}
