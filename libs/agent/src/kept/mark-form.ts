import { isJsonObject, type JsonObject, type JsonValue } from '#model';
import type { TranscriptMark } from '../transcript-mark.js';

export function markForm({ raw, plain }: TranscriptMark): JsonObject {
  return { raw, plain };
}

/** Undefined for what is no mark. */
export function markOf(kept: JsonValue | undefined): TranscriptMark | undefined {
  if (!isJsonObject(kept) || typeof kept.raw !== 'number' || typeof kept.plain !== 'number') return undefined;
  return { raw: kept.raw, plain: kept.plain };
}
