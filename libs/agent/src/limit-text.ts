/** What a model gets of one result at most, in bytes of UTF-8. */
export const MAX_RESULT_BYTES = 32 * 1024;

/** Room for the note about what is left out. */
const NOTE_BYTES = 96;

/** The text itself when it fits into `maxBytes` of UTF-8, else its head and tail around a note. No character is cut. */
export function limitText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const half = Math.floor((maxBytes - NOTE_BYTES) / 2);
  const head = characterStart(bytes, half, -1);
  const tail = characterStart(bytes, bytes.length - half, 1);
  const note = `\n[... ${tail - head} of ${bytes.length} bytes left out ...]\n`;
  return bytes.toString('utf8', 0, head) + note + bytes.toString('utf8', tail);
}

/** The nearest offset in the given direction at which a character starts. */
function characterStart(bytes: Buffer, from: number, step: 1 | -1): number {
  let at = from;
  while (((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
}
