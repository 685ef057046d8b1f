import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { isPromptSource, type PromptSource } from '../prompt-queue.js';

/** A prompt on disk. Its number is unique in the life of its agent, and grows. */
export interface KeptPrompt {
  readonly number: number;
  readonly text: string;
  readonly source: PromptSource | undefined;
}

export function promptForm({ number, text, source }: KeptPrompt): JsonObject {
  return { n: number, text, ...(source && { source }) };
}

/** Undefined for what is no prompt. */
export function promptOf(kept: JsonValue | undefined): KeptPrompt | undefined {
  if (!isJsonObject(kept) || typeof kept.n !== 'number' || typeof kept.text !== 'string') return undefined;
  return { number: kept.n, text: kept.text, source: isPromptSource(kept.source) ? kept.source : undefined };
}
