import type { JsonValue } from '#model';

/** Cuts the bytes of an answer into events, wherever they come cut. Does no I/O; its work is in proportion to what came. */
export interface Framing {
  /** At least what is held of an event that is not complete, in characters or bytes. */
  readonly unfinished: number;
  /** Gives the events that this piece completes. Throws TransientError for what is none, and whatever `take` throws. */
  push(piece: Buffer, take: (event: JsonValue) => void): void;
  /** The bytes have ended: gives the event that their end completes, if there is one. Throws likewise. */
  end(take: (event: JsonValue) => void): void;
}
