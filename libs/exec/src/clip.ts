import { withoutTornEnd, withoutTornStart } from '#model';

/** The two ends of something long. Both parts may be longer than needed. */
export interface Ends {
  readonly head: Buffer;
  readonly tail: Buffer;
  readonly total: number;
}

/** A byte that is no UTF-8 becomes U+FFFD, three bytes. */
const WORST_GROWTH = 3;

/**
 * Start and end of an output as text in at most `maxBytes` of UTF-8, cut between code points, with a line
 * between them that says how many bytes are missing and where they are.
 */
export function clipped({ head, tail, total }: Ends, maxBytes: number, rest: string): string {
  const share = Math.max(0, Math.floor((maxBytes - note(total, total, rest).length) / 2));
  const start = fitting(share, (size) => withoutTornEnd(head.subarray(0, size)));
  const end = fitting(share, (size) => withoutTornStart(tail.subarray(Math.max(0, tail.length - size))));
  return `${start.toString('utf8')}${note(total - start.length - end.length, total, rest)}${end.toString('utf8')}`;
}

/** A text in at most `maxBytes` of UTF-8: all of it, or its two ends as above. */
export function clippedText(text: string, maxBytes: number, rest: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= maxBytes ? text : clipped({ head: bytes, tail: bytes, total: bytes.length }, maxBytes, rest);
}

function note(missing: number, total: number, rest: string): string {
  return `\n[... ${missing} of ${total} bytes left out; ${rest} ...]\n`;
}

/** The piece of that size, or of a size that fits whatever its bytes are. */
function fitting(room: number, piece: (size: number) => Buffer): Buffer {
  const bytes = piece(room);
  return Buffer.byteLength(bytes.toString('utf8')) <= room ? bytes : piece(Math.floor(room / WORST_GROWTH));
}
