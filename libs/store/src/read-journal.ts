import { isObject, type JsonObject, parseObject } from './parse-object.js';
import type { SnapshotPlace } from './snapshot-file.js';

/** What a journal's bytes say. */
export interface ReadJournal {
  /** Undefined for a journal without a first line. */
  readonly generation: number | undefined;
  /** Those that the snapshot does not have. */
  readonly records: readonly JsonObject[];
  /** Where the last whole line ends: what is behind it was being written when the writer died. */
  readonly end: number;
  /** Whole lines that are no records: something else than Ollie wrote there, or the disk lost them. */
  readonly bad: number;
}

const NEWLINE = 0x0a;

/** A record as a line. */
export function journalLine(record: object): string {
  return `${JSON.stringify(record)}\n`;
}

/** The first line of a journal, with its number: each begins with a higher one. */
export function journalHead(generation: number): string {
  return journalLine({ t: 'journal', generation });
}

/** Reads the bytes of a journal, without those that a snapshot of `place` has. */
export function readJournal(bytes: Buffer, place: SnapshotPlace): ReadJournal {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  if (end === 0) return { generation: undefined, records: [], end, bad: 0 };
  const headEnd = bytes.indexOf(NEWLINE) + 1;
  const head = parseObject(bytes.toString('utf8', 0, headEnd));
  const generation = head?.t === 'journal' && typeof head.generation === 'number' ? head.generation : undefined;
  if (generation === undefined) return { generation, ...linesOf(bytes.subarray(0, end), 1), end };
  const start = generation === place.generation ? Math.max(headEnd, place.after ?? 0) : headEnd;
  return { generation, ...linesOf(bytes.subarray(start, end), 0), end };
}

function linesOf(bytes: Buffer, badBefore: number): Pick<ReadJournal, 'records' | 'bad'> {
  const lines = bytes.length === 0 ? [] : bytes.toString('utf8', 0, bytes.length - 1).split('\n');
  const records = lines.map(parseObject).filter(isObject);
  return { records, bad: badBefore + lines.length - records.length };
}
