import type { JsonObject, JsonValue, ModelFacts, ModelInfo, ModelRequest } from '#model';
import type { AnswerDecoder } from './answer-decoder.js';
import type { Framing } from './framing.js';
import type { WireRequest } from './transport.js';

/** The provider's answer to one request, as JSON. Several may be asked for at the same time. Throws BackendError. */
export type Ask = (request: WireRequest) => Promise<JsonValue>;

/** What providers differ in: where a request goes, what it says, and how its answer is read. Holds no state. */
export interface Dialect {
  /** Below the base URL, with the slash. */
  path(request: ModelRequest): string;
  /** `facts`, here and below: what is known of the model. */
  body(request: ModelRequest, facts: ModelFacts): JsonObject;
  /** Beside those of every request. */
  headers?(request: ModelRequest): Readonly<Record<string, string>>;
  /** How its answers are cut into events; default: server-sent events. */
  framing?(): Framing | Promise<Framing>;
  decoder(request: ModelRequest, facts: ModelFacts): AnswerDecoder;
  /** What must be known of one model before it is asked, as the provider tells it; undefined when it does not. Throws BackendError. */
  facts?(model: string, ask: Ask): Promise<ModelFacts | undefined>;
  /** For models of which the provider says that it answers them only so; framed alike. */
  readonly instead?: Dialect;
  /** In the provider's order, each once. */
  models(ask: Ask): Promise<readonly ModelInfo[]>;
}
