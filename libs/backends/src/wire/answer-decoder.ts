import type { JsonValue, StreamEvent } from '#model';

/** The event that some servers end a stream with; the only one that is not JSON. */
export const END_MARK = '[DONE]';

/** Turns what a server sends of one answer into events. It does no I/O: equal events in, equal events out. */
export interface AnswerDecoder {
  /** True once the answer is known to be complete; only then is it one, however the connection ends. */
  readonly isSettled: boolean;
  /** True once the server has said that nothing more comes. */
  readonly isOver: boolean;
  /** Grows with all that is of substance; events that bring nothing of it are keep-alives. */
  readonly pieces: number;
  /** Takes one event, `END_MARK`, or the whole of an answer that does not stream. Throws the BackendError that it carries. */
  push(event: JsonValue): readonly StreamEvent[];
  /** The stream is over: calls, usage, done. Throws TransientError `stream_drop` when the answer is not complete. */
  end(): readonly StreamEvent[];
}
