import type { GenerationParams } from './generation-params.js';
import type { JsonObject } from './json.js';
import type { Message } from './message.js';
import type { ModelCapabilities, ModelInfo } from './model-facts.js';
import type { StreamEvent } from './stream-event.js';

/** A function declaration for a model. `parameters` is a JSON Schema object. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
}

/** One request to a model. `system` is empty for none. */
export interface ModelRequest {
  readonly model: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly params: GenerationParams;
  /** The same for all requests of one agent and of no other: what providers cache of them is found again. Undefined for a request by itself. */
  readonly conversation?: string;
}

/** Port to one provider and account. Safe for concurrent calls. */
export abstract class Backend {
  abstract readonly name: string;

  /** The model that is used when nobody names one; undefined when a model must be named. */
  abstract readonly defaultModel: string | undefined;

  /**
   * Streams one answer. An abort ends the iteration with AbortedError at any point, the wait for the
   * first byte included, and closes the connection. Failures are thrown as BackendError subclasses.
   * The caller may stop iterating at any time, which closes the connection too.
   */
  abstract stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<StreamEvent>;

  /** Lists the models in the provider's order, each once. Cached until `invalidate`. */
  abstract models(signal: AbortSignal): Promise<readonly ModelInfo[]>;

  /** What fits into the model's window, in tokens; undefined when nobody has told. Asks nobody. */
  contextLength(_model: string): number | undefined {
    return undefined;
  }

  /** What is known of the model. Asks nobody. */
  capabilities(_model: string): ModelCapabilities {
    return {};
  }

  /** Drops what was cached about models. */
  abstract invalidate(): void;
}
