import type { BackendError, StreamEvent } from '#model';
import type { World } from '#ninep-cli';

/** How an answer ended. */
export interface Outcome {
  readonly events: readonly StreamEvent[];
  readonly failure: BackendError | undefined;
  readonly wallMs: number;
  /** How long after an abort no socket was open any more; undefined without one, or when one stayed open. */
  readonly socketClosedMs: number | undefined;
}

/** Tells of an answer as it comes. */
export interface AnswerReport {
  event(event: StreamEvent): Promise<void>;
  /** Called once, also after a failure. */
  end(outcome: Outcome): Promise<void>;
}

export type Outputs = Pick<World, 'stdout' | 'stderr'>;
