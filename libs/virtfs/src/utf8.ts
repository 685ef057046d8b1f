// Bytes that are no UTF-8 become U+FFFD; nothing is stripped, a byte order mark included.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

export const EMPTY = new Uint8Array(0);
export const NEWLINE = 0x0a;

export function decode(pieces: readonly Uint8Array[]): string {
  const [only] = pieces;
  return decoder.decode(pieces.length === 1 ? only : Buffer.concat(pieces));
}

export function encode(text: string): Uint8Array {
  return Buffer.from(text, 'utf8');
}

/** The text with a newline at its end, unless it is empty. */
export function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether a byte is in a character and does not begin it. */
export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
