/** What a model can do; an absent key = nobody has told. */
export interface ModelCapabilities {
  readonly tools?: boolean;
  /** Several calls in one answer. */
  readonly parallelCalls?: boolean;
  /** Reads images. */
  readonly images?: boolean;
  /** Takes a temperature. */
  readonly temperature?: boolean;
  /** Thinks before it answers. */
  readonly reasoning?: boolean;
  /** What `reasoningEffort` may be, least first; `none` is among them when the thinking can be switched off. */
  readonly efforts?: readonly string[];
  /** Of one answer, its thinking included, in tokens. */
  readonly maxOutputTokens?: number;
}

export interface ModelFacts {
  /** In tokens. */
  readonly contextLength?: number;
  readonly capabilities?: ModelCapabilities;
}

/** What a provider tells of a model, and what is known beforehand where it does not tell. */
export interface ModelInfo extends ModelFacts {
  readonly id: string;
}
