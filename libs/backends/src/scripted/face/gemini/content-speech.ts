import type { JsonObject, JsonValue, StopReason } from '#model';
import { isBrokenCall, thinkingTokensOf, type Plan } from '../../plan.js';
import type { Delta } from '../../play.js';
import type { Speech } from '../face.js';
import { EVENT_STREAM, sse } from '../sse.js';
import { objectAt } from './parse-contents.js';
import { callSeal, partSeal } from './signed.js';

const FINISHES: Readonly<Record<StopReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  refusal: 'PROHIBITED_CONTENT',
  pause: 'STOP',
};

/** An answer as chunks of a generated content: parts come whole, one a chunk. */
export class ContentSpeech implements Speech {
  readonly contentType = EVENT_STREAM;
  readonly garbage = 'data: {"candidates":[{"content":\n\n';

  constructor(
    private readonly plan: Plan,
    private readonly body: JsonObject,
  ) {}

  open(): readonly string[] {
    return [];
  }

  delta({ type, text }: Delta): readonly string[] {
    if (type === 'reasoning') return this.isHidden ? [] : [this.chunk([{ text, thought: true }])];
    return [this.chunk([{ text }])];
  }

  close(): readonly string[] {
    return [...this.callParts().map((part) => this.chunk([part])), this.chunk(this.lastParts(), this.finish())];
  }

  whole(): JsonObject {
    const { think, text } = this.plan;
    const parts = [
      ...(think === '' || this.isHidden ? [] : [{ text: think, thought: true }]),
      ...(text === '' ? [] : [{ text, ...this.textSignature() }]),
      ...this.callParts(),
    ];
    return this.answer(parts, this.finish());
  }

  failure(error: JsonObject): string {
    return sse(error);
  }

  private chunk(parts: readonly JsonObject[], finish: JsonObject = {}): string {
    return sse(this.answer(parts, finish));
  }

  private answer(parts: readonly JsonObject[], finish: JsonObject): JsonObject {
    const { id, model } = this.plan;
    const content = parts.length > 0 ? { content: { role: 'model', parts } } : {};
    const candidates = [{ ...content, index: 0, ...finish }];
    return { candidates, usageMetadata: this.usage(finish.finishReason !== undefined), modelVersion: model, responseId: id };
  }

  /** Of calls made together the first is signed. Arguments that are no object cannot be said. */
  private callParts(): readonly JsonObject[] {
    if (this.isMalformed) return [];
    return this.plan.calls.map(({ id, name, arguments: args }, i) => ({
      functionCall: { id, name, args },
      ...(i === 0 ? { thoughtSignature: callSeal(this.plan.model, name) } : {}),
    }));
  }

  /** What was thought is signed at the end where no call is. */
  private lastParts(): readonly JsonObject[] {
    const signature = this.textSignature();
    return Object.keys(signature).length > 0 ? [{ text: '', ...signature }] : [];
  }

  private textSignature(): JsonObject {
    const { think, calls, model } = this.plan;
    return think !== '' && calls.length === 0 ? { thoughtSignature: partSeal(model) } : {};
  }

  private finish(): JsonObject {
    const raw = this.plan.calls.find(isBrokenCall)?.raw;
    if (raw === undefined) return { finishReason: FINISHES[this.plan.stop] };
    return { finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed function call: ${raw}` };
  }

  private get isMalformed(): boolean {
    return this.plan.calls.some(isBrokenCall);
  }

  private get isHidden(): boolean {
    return objectAt(objectAt(this.body, 'generationConfig'), 'thinkingConfig')?.includeThoughts === false;
  }

  /** All that is known yet: what was sent at first, what was made of it at the end. */
  private usage(isEnd: boolean): JsonValue {
    const { inputTokens, cachedInputTokens, cacheCreationTokens, outputTokens } = this.plan.usage;
    const prompt = inputTokens + cachedInputTokens + cacheCreationTokens;
    const thoughts = thinkingTokensOf(this.plan);
    return {
      promptTokenCount: prompt,
      ...(cachedInputTokens > 0 ? { cachedContentTokenCount: cachedInputTokens } : {}),
      ...(isEnd ? { candidatesTokenCount: outputTokens - thoughts, ...(thoughts > 0 ? { thoughtsTokenCount: thoughts } : {}) } : {}),
      totalTokenCount: prompt + (isEnd ? outputTokens : 0),
    };
  }
}
