import { isObject, type JsonObject, parseObject } from './parse-object.js';

/** What a journal's bytes say. */
export interface ReadJournal {
  /** Undefined for a journal without a first line. */
  readonly generation: number | undefined;
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

/** The first line of a journal: it continues the snapshot of the same generation. */
export function journalHead(generation: number): string {
  return journalLine({ t: 'journal', generation });
}

/** Reads the bytes of a journal. */
export function readJournal(bytes: Buffer): ReadJournal {
  const end = bytes.lastIndexOf(NEWLINE) + 1;
  const lines = end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n');
  const parsed = lines.map(parseObject);
  const records = parsed.filter(isObject);
  const [head] = records;
  const generation = head?.t === 'journal' && typeof head.generation === 'number' ? head.generation : undefined;
  return {
    generation,
    records: generation === undefined ? records : records.slice(1),
    end,
    bad: lines.length - records.length + (generation === undefined && lines.length > 0 ? 1 : 0),
  };
}
