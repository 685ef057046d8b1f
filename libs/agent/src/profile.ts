import type { GenerationParams } from '#model';

/** What becomes of a changed feed: nothing, or a turn. */
export type FeedMode = 'manual' | 'prompt';

/** A profile as it is used: files read, keys checked, defaults filled in. */
export interface Profile {
  readonly name: string;
  readonly systemPrompt: string;
  readonly backend: string | undefined;
  readonly model: string | undefined;
  /** Tools that may be loaded: all, none, or those whose name matches a glob. */
  readonly tools: boolean | readonly string[];
  /** Tools that are loaded when the agent first needs its tool server. */
  readonly autoLoad: readonly string[];
  /** 0 = no limit. */
  readonly maxSteps: number;
  /** What the model is told when the limit is reached. */
  readonly maxStepsNudge: string;
  readonly feed: FeedMode;
  /** The model that is to shorten a conversation; undefined = the agent's own. */
  readonly compactionModel: string | undefined;
  readonly params: GenerationParams;
}
