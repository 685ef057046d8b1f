import type { Secrets } from './error-text.js';

/** What a decoder has to know of the conversation that its answer belongs to. */
export interface DecoderOptions {
  readonly backend: string;
  /** Kept out of error messages. */
  readonly secret: Secrets;
  /** Ids of earlier calls of the conversation; a call that comes with one of them gets a new one. */
  readonly usedIds: ReadonlySet<string>;
}
