import type { JsonObject, JsonValue, ModelInfo, ModelRequest } from '#model';
import type { AnswerDecoder } from './answer-decoder.js';

/** What providers differ in: where a request goes, what it says, and how its answer is read. Holds no state. */
export interface Dialect {
  /** Below the base URL, with the slash. */
  path(request: ModelRequest): string;
  body(request: ModelRequest): JsonObject;
  decoder(request: ModelRequest): AnswerDecoder;
  readonly modelsPath: string;
  /** Sorted by id. */
  modelList(answer: JsonValue): readonly ModelInfo[];
}
