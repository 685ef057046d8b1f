import { isJsonObject, type JsonObject, type JsonValue } from '#model';

/** What of a detail comes in pieces. */
const TEXTS: readonly string[] = ['text', 'summary'];

/** OpenRouter's `reasoning_details`, put together from their pieces: what goes back has to be as if it had come whole. */
export class ReasoningDetails {
  private readonly details: JsonObject[] = [];

  add(pieces: readonly JsonValue[]): void {
    for (const piece of pieces.filter(isJsonObject)) {
      const last = this.details.at(-1);
      if (last && isSame(last, piece)) this.details[this.details.length - 1] = joined(last, piece);
      else this.details.push(piece);
    }
  }

  all(): readonly JsonObject[] {
    return this.details;
  }
}

/** A piece without an id belongs to what stands before it; encrypted data is never in pieces. */
function isSame(last: JsonObject, piece: JsonObject): boolean {
  if (last.type !== piece.type || last.type === 'reasoning.encrypted') return false;
  return isEqualIfThere(last.index, piece.index) && isEqualIfThere(last.id, piece.id);
}

function isEqualIfThere(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  return (one ?? null) === null || (other ?? null) === null || one === other;
}

function joined(last: JsonObject, piece: JsonObject): JsonObject {
  const fields = Object.entries(piece).filter(([, value]) => value !== null);
  return { ...last, ...Object.fromEntries(fields.map(([key, value]) => [key, TEXTS.includes(key) ? appended(last[key], value) : value])) };
}

function appended(before: JsonValue | undefined, value: JsonValue): JsonValue {
  return typeof before === 'string' && typeof value === 'string' ? before + value : value;
}
