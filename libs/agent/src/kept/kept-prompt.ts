import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import { isPromptSource, type PromptSource } from '../prompt-queue.js';

/** A prompt on disk. Its number is unique in the life of its agent, and grows. */
export interface KeptPrompt {
  readonly number: number;
  readonly text: string;
  readonly source: PromptSource | undefined;
  /** The process whose end it tells. */
  readonly proc: number | undefined;
}

export function promptForm({ number, text, source, proc }: KeptPrompt): JsonObject {
  return { n: number, text, ...(source && { source }), ...(proc !== undefined && { proc }) };
}

/** Undefined for what is no prompt. */
export function promptOf(kept: JsonValue | undefined): KeptPrompt | undefined {
  if (!isJsonObject(kept) || typeof kept.n !== 'number' || typeof kept.text !== 'string') return undefined;
  const { n: number, text, source, proc } = kept;
  return { number, text, source: isPromptSource(source) ? source : undefined, proc: typeof proc === 'number' ? proc : undefined };
}
