import type { ByteLog } from '#virtfs';

const PIECE = 16 * 1024;
const NEWLINE = 0x0a;
const BEGIN = /^\[\[\[([a-z]+)(?: |\]\]\]$)/;
const ID = / id=(\d+)/;

/** How a chat.raw ends that an earlier process has written. */
export interface TranscriptEnd {
  /** The number of the last block; 0 for an empty log. */
  readonly blocks: number;
  readonly lastRole: string | undefined;
  /** The last block has no end line. */
  readonly isOpen: boolean;
  readonly isAtLineStart: boolean;
  /** Where the content of the last block begins. */
  readonly contentAt: number;
  /** Where a marker line begins that was cut while it was written. */
  readonly torn: number | undefined;
}

/** Looks from the end backwards until the last begin line. */
export function transcriptEnd(log: ByteLog): TranscriptEnd {
  const torn = tornMarker(log);
  const end = torn ?? log.length;
  let isOpen: boolean | undefined;
  const isAtLineStart = isLineStart(log, end);
  for (const { line, end: contentAt } of markersBackwards(log, end)) {
    isOpen ??= !line.startsWith('[[[/');
    const [, lastRole] = BEGIN.exec(line) ?? [];
    if (lastRole !== undefined) return { blocks: Number(ID.exec(line)?.[1] ?? 0), lastRole, isOpen, isAtLineStart, contentAt, torn };
  }
  return { blocks: 0, lastRole: undefined, isOpen: false, isAtLineStart, contentAt: 0, torn };
}

/** Content never begins a line so; it would have been escaped. */
function tornMarker(log: ByteLog): number | undefined {
  const start = lineStart(log, log.length);
  const head = textOf(log, start, Math.min(start + 3, log.length));
  return head !== '' && '[[['.startsWith(head) ? start : undefined;
}

function* markersBackwards(log: ByteLog, from: number): Generator<{ readonly line: string; readonly end: number }> {
  for (let end = from; end > 0;) {
    const start = lineStart(log, end - 1);
    if (textOf(log, start, Math.min(start + 3, end)) === '[[[') yield { line: textOf(log, start, end).trimEnd(), end };
    end = start;
  }
}

/** Where the line begins that goes on at `at`. */
function lineStart(log: ByteLog, at: number): number {
  for (let end = at; end > 0;) {
    const start = Math.max(0, end - PIECE);
    const newline = bytesOf(log, start, end).lastIndexOf(NEWLINE);
    if (newline >= 0) return start + newline + 1;
    end = start;
  }
  return 0;
}

function isLineStart(log: ByteLog, at: number): boolean {
  return at === 0 || bytesOf(log, at - 1, at)[0] === NEWLINE;
}

function textOf(log: ByteLog, start: number, end: number): string {
  return bytesOf(log, start, end).toString('utf8');
}

/** The bytes of a log from `start` to `end`. */
export function bytesOf(log: ByteLog, start: number, end: number): Buffer {
  const pieces: Uint8Array[] = [];
  for (let at = start; at < end;) {
    const piece = log.slice(at, end - at);
    if (piece.length === 0) break;
    pieces.push(piece);
    at += piece.length;
  }
  return Buffer.concat(pieces);
}
