import { withoutTornEnd, withoutTornStart } from '#model';

/** What a model gets of one result at most, in bytes of UTF-8. */
export const MAX_RESULT_BYTES = 32 * 1024;

/** Room for the note about what is left out. */
const NOTE_BYTES = 96;

/** The text itself when it fits into `maxBytes` of UTF-8, else its head and tail around a note. No character is cut. */
export function limitText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor((maxBytes - NOTE_BYTES) / 2);
  const head = withoutTornEnd(bytes.subarray(0, half));
  const tail = withoutTornStart(bytes.subarray(bytes.length - half));
  const left = bytes.length - head.length - tail.length;
  return `${head.toString('utf8')}\n[... ${left} of ${bytes.length} bytes left out ...]\n${tail.toString('utf8')}`;
}
