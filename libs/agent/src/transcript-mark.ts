/** A place in both logs of a transcript, in bytes, where a block begins. */
export interface TranscriptMark {
  readonly raw: number;
  readonly plain: number;
}

export const TRANSCRIPT_START: TranscriptMark = { raw: 0, plain: 0 };
