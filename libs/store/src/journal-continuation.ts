import type { JsonObject } from './parse-object.js';
import type { ReadJournal } from './read-journal.js';
import type { SnapshotPlace } from './snapshot-file.js';

/** How a journal that was read goes on. */
export interface JournalContinuation {
  /** What it says that the snapshot does not. */
  readonly records: readonly JsonObject[];
  /** Why it cannot go on, and is to be set aside. */
  readonly why: string | undefined;
  /** Of the journal that the next record goes to. */
  readonly generation: number;
  /** Bytes of it that count; 0: it begins anew. */
  readonly length: number;
  /** How many of those the snapshot has too. */
  readonly covered: number;
}

/** `isLost`: the snapshot was there and is of no use, so that the journal is all there is. */
export function continueJournal(read: ReadJournal, place: SnapshotPlace, isLost: boolean): JournalContinuation {
  const next = place.after === undefined ? place.generation : place.generation + 1;
  const generation = read.generation ?? next;
  const isOld = !isLost && generation < place.generation;
  const isRight = isLost || [place.generation, next].includes(generation);
  const why = whyBad(read, isRight || isOld);
  const covered = generation === place.generation ? (place.after ?? 0) : 0;
  const records = isOld ? [] : read.records;
  // What is appended must come after all that the snapshot has: where nothing else does, it needs a journal of its own.
  const isOver = isOld || why !== undefined || read.end <= covered;
  return isOver ? { records, why, generation: next, length: 0, covered: 0 } : { records, why, generation, length: read.end, covered };
}

function whyBad({ bad, end }: ReadJournal, isRight: boolean): string | undefined {
  if (bad > 0) return `${String(bad)} lines are no records`;
  if (end > 0 && !isRight) return 'it continues another snapshot than the one that is there';
  return undefined;
}
